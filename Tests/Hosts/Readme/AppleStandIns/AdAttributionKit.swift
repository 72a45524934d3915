/// Stands in for Apple's AdAttributionKit: the calls by their names in Apple's documentation, which print what they were
/// given. The tag "refused" is none that Apple knows.
public enum CoarseConversionValue: Sendable {
    case low, medium, high
}

public enum ConversionType: Sendable {
    case install, reengagement
}

public enum AdAttributionKitError: Error {
    case invalidConversionTag, conversionTagNotSupported
}

public struct PostbackUpdate: Sendable {
    let words: String
    let tag: String?

    public init(
        fineConversionValue fine: Int, lockPostback: Bool, coarseConversionValue coarse: CoarseConversionValue?,
        conversionTypes: [ConversionType]
    ) {
        words = "\(fine) \(told(coarse)) lock \(lockPostback) types \(conversionTypes)"
        tag = nil
    }

    public init(
        fineConversionValue fine: Int, lockPostback: Bool, coarseConversionValue coarse: CoarseConversionValue?,
        conversionTag: String
    ) {
        words = "\(fine) \(told(coarse)) lock \(lockPostback) tag \(conversionTag)"
        tag = conversionTag
    }
}

public enum Postback {
    public static let reengagementOpenURLParameter = "AdAttributionKitReengagementOpen"

    public static func updateConversionValue(_ update: PostbackUpdate) async throws {
        print("AdAttributionKit \(update.words)")
        if update.tag == "refused" { throw AdAttributionKitError.invalidConversionTag }
    }

    public static func updateConversionValue(
        _ fine: Int, coarseConversionValue coarse: CoarseConversionValue?, lockPostback: Bool
    ) async throws {
        print("AdAttributionKit \(fine) \(told(coarse)) lock \(lockPostback)")
    }
}

private func told(_ coarse: CoarseConversionValue?) -> String { coarse.map { "\($0)" } ?? "-" }
