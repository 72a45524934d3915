package import SKANCore
package import SKANPostbackReceiving
package import SKANPostbackVerification
import SKANSystem

/// A postback receiver's record as the report uses it.
package struct ObservedPostback {
    package let outcome: PostbackOutcome
    package let result: PostbackResult
    package let window: Window
    package let conversion: AdConversion
    /// Whether the network won; always true for versions that send postbacks only to the winner.
    package let isWinning: Bool
    /// The fine value; nil if it is hidden.
    package let fine: Int?
    package let coarse: Int?
    /// Whether the value has no meaning, because whoever passed the postback on changed it.
    package var isIllegal = false
    /// Whether the postback was not written as Apple writes it.
    package var isRespelled = false
    package let decoding: PostbackDecoding
    /// The version of the model that decodes the value; nil if there is none.
    package let model: SHA256?
    /// nil if the postback names no network.
    package let network: [UInt8]?
    /// The ad network that sent the postback to the receiver; empty if it is not known.
    package var sender: [UInt8] = []
    /// The name of a type that the library does not know, and the name of Apple's field for the type; nil if the
    /// library knows all types of the postback. Rules, "Unknown types".
    package var unknownType: (field: StaticString, name: [UInt8])?
    package let identifier: CampaignIdentifier
    /// The country of the install, not of the ad; empty if not reported. Apple, "Identifying the parameters in a
    /// postback".
    package var country: [UInt8] = []
    /// The app in which the ad was shown; empty if not reported.
    package var sourceApp: [UInt8] = []
    package let app: Int64?
    /// The time of arrival in Unix seconds.
    package let received: Int64
    /// The range of times of the install, or of the tap on the ad if it is a re-engagement.
    package let dates: EstimatedDates

    /// Whether the postback is valid and the first of its copies.
    package var isCounted: Bool { outcome == .counted && result == .valid }

    /// The reason why the postback was refused and stored separately; only meaningful if it was.
    package var refusedReason: RefusedReason { RefusedReason(outcome, result) }
}

extension ObservedPostback {
    package init(_ record: borrowing PostbackRecord, of postback: VerifiedPostback, _ models: RevenueModels) {
        outcome = record.outcome
        result = postback.result
        window = Window(rawValue: UInt8(truncatingIfNeeded: postback.window)) ?? .first
        conversion = AdConversion(of: postback)
        isWinning = postback.integer(.didWin) != 0
        fine = postback.integer(.conversionValue).map { Int($0) }
        coarse = postback.integer(.coarseValue).map { Int($0) }
        isIllegal = postback.hasIllegalValue
        isRespelled = postback.isRespelled
        (decoding, model) = models.decoding(of: postback, record)
        network = postback.namedAdNetwork
        sender = record.network
        unknownType = postback.unknownType.map { ($0.field, [UInt8]($0.name.prefix { $0 != 0 })) }
        identifier = CampaignIdentifier(of: postback)
        country = postback.textUntilNUL(.countryCode) ?? []
        sourceApp = postback.integer(.sourceAppID).map { Message("\($0)").utf8 } ?? []
        app = postback.namedApp
        received = record.received / 1_000_000
        dates = EstimatedDates(record, of: postback, received: received)
    }
}

extension CampaignIdentifier {
    private static var longest: Int { 40 }

    fileprivate init(of postback: VerifiedPostback) {
        if let source = postback.textUntilNUL(.sourceIdentifier) {
            self.init(source.prefix(CampaignIdentifier.longest))
        } else if let campaignID = postback.integer(.campaignID) {
            self.init(campaignID: campaignID)
        } else {
            self = .none
        }
    }
}

extension EstimatedDates {
    /// Estimates the dates from the time of arrival. If the window was not locked, it ends on day 2, 7 or 35 (window 0,
    /// 1 or 2), and Apple sends the postback at least 24 hours later. Rules, "Time of install".
    fileprivate init(_ record: borrowing PostbackRecord, of postback: VerifiedPostback, received: Int64) {
        let (from, until) = (record.time.from, record.time.until)
        var untilUnlocked = until
        if postback.hasWindows, let window = Window(rawValue: UInt8(truncatingIfNeeded: postback.window)) {
            untilUnlocked = received - (window.days.upperBound + 1) * Day.seconds
        }
        self.init(from: from, until: until, untilUnlocked: untilUnlocked)
    }
}
