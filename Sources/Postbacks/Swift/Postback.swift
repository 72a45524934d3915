public import SKAN
internal import SKANCore
internal import SKANPostbackVerification

/// One of Apple's install postbacks, read and verified. A field that is absent or of the wrong type is nil.
///
///     let postback = try Postback(verifying: body)
///     if postback.result == .valid { … }
///
/// Conversion values and the country code are not signed. A conversion value that is nil was hidden by Apple or is
/// illegal; it is not 0.
public struct Postback: Sendable, Equatable {
    /// The result of verifying a postback.
    public struct Result: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
        public let rawValue: Int32

        public init(rawValue: Int32) { self.rawValue = rawValue }

        /// The postback is signed by Apple, and every signed field is unchanged.
        public static let valid = Result(rawValue: 0)
        /// The signature does not match the postback.
        public static let invalid = Result(rawValue: 1)
        /// The postback has an unknown version, or is signed with an unknown key.
        public static let unverifiable = Result(rawValue: 2)
        /// The signature matches a development key of AdAttributionKit, so the postback is a test.
        public static let development = Result(rawValue: 3)
        /// The document is not a postback.
        public static let malformed = Result(rawValue: 4)

        /// The name of the result: "valid", "invalid", "unverifiable", "development" or "malformed".
        public var description: String { (PostbackResult(rawValue: rawValue)?.name ?? "unknown").description }
    }

    /// The framework that a postback comes from.
    public struct Framework: RawRepresentable, Sendable, Hashable {
        public let rawValue: Int32

        public init(rawValue: Int32) { self.rawValue = rawValue }

        public static let skAdNetwork = Framework(rawValue: 0)
        public static let adAttributionKit = Framework(rawValue: 1)
    }

    /// The type of the conversion that the ad caused.
    public struct ConversionType: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
        public let rawValue: Int32

        public init(rawValue: Int32) { self.rawValue = rawValue }

        /// The first install of the app by this person.
        public static let download = ConversionType(rawValue: 1)
        /// An install by someone who had the app before.
        public static let redownload = ConversionType(rawValue: 2)
        /// A re-engagement of AdAttributionKit: a tap on an ad led back into the app. It is not an install.
        public static let reengagement = ConversionType(rawValue: 3)
        /// A type that this library does not know; ``Postback/unknownType`` names it.
        public static let other = ConversionType(rawValue: 5)

        /// The name of the type: "download", "redownload", "re-engagement" or "unknown_type".
        public var description: String { (PostbackConversion(rawValue: rawValue) ?? .unknown).name.description }
    }

    public let result: Result
    public let framework: Framework
    /// The names of the fields that the signature proves, in the order of the signed text; empty if it proves nothing.
    public let signedFields: [String]
    /// Whether the postback was not written as Apple writes it, but its signature proves its meaning. Rules, "Respelled
    /// postbacks".
    public let isRespelled: Bool
    /// The names of unsigned fields whose value has no meaning. These fields count as absent, but Apple did not hide
    /// them.
    public let illegalFields: [String]
    /// The reason why the postback is malformed or unverifiable; nil for other results. `problemField` is the field at
    /// fault.
    public let problem: String?
    public let problemField: String?
    /// The id of the postback, the same for each copy of it.
    public let key: String?
    /// The version of SKAdNetwork, "1.0" to "4.0"; nil for AdAttributionKit.
    public let version: String?
    public let adNetworkID: String?
    /// The transaction-id of SKAdNetwork, or the postback-identifier of AdAttributionKit.
    public let transactionID: String?
    /// The sequence index, 0 to 2; 0 if the version has no windows.
    public let postbackSequenceIndex: Int
    public let campaignID: Int64?
    public let sourceIdentifier: String?
    public let appID: Int64?
    public let sourceAppID: Int64?
    public let sourceDomain: String?
    public let fidelityType: Int64?
    public let didWin: Bool?
    /// Whether the app was installed before, as SKAdNetwork reports it; nil = not reported.
    public let redownload: Bool?
    /// The type of the conversion, in both frameworks; nil = not reported. Decode the values of a re-engagement with a
    /// model for re-engagements, not with one for installs.
    public let conversionType: ConversionType?
    /// Apple's name of a conversion type, impression type, version or key that this library does not know; nil = all
    /// are known. A postback of an unknown type is neither an install nor a re-engagement. Rules, "Unknown types".
    public let unknownType: String?
    /// The fine value, 0 to 63; nil = hidden or illegal. Conversion values, the country code and the interaction type
    /// are not signed.
    public let conversionValue: Int?
    /// The coarse value; nil = hidden or illegal.
    public let coarseConversionValue: CoarseValue?
    public let countryCode: String?
    /// "click" or "view".
    public let adInteractionType: String?
    /// The `kid` of AdAttributionKit's JWS, which names the key that signed it.
    public let keyID: String?
    /// The body as Apple would have written it if the postback was respelled, otherwise as received. This is what is
    /// stored.
    public let canonicalBody: [UInt8]
    /// The whole postback as JSON, with signed and unsigned fields separate, as postback.h describes it.
    public let json: String

    /// Reads a postback of SKAdNetwork 1.0 to 4.0 or AdAttributionKit and verifies its signature. Does not throw if the
    /// postback is not valid: see ``result``.
    ///
    /// - Throws: `SKANError.Code.limitExceeded` for a body of more than 64 KiB.
    public init(verifying body: some Collection<UInt8>, keys: PostbackKeys = .apple) throws {
        let bytes = [UInt8](body)
        guard bytes.count <= Limits.responseBytes else {
            throw SKANError(.limitExceeded, "body: \(bytes.count) bytes, the limit is \(Limits.responseBytes)")
        }
        self.init(
            try translated { () throws(Failure) in
                let keys = try keys.set()
                return try bytes.withUnsafeBufferPointer { body throws(Failure) in
                    try VerifiedPostback(verifying: UnsafeRawBufferPointer(body), keys: keys)
                }
            })
    }

    private init(_ postback: VerifiedPostback) {
        // Keeps the postback alive, because it owns the texts.
        self = withExtendedLifetime(postback) { Postback(reading: postback) }
    }

    private init(reading postback: VerifiedPostback) {
        var signed: [String] = []
        var illegal: [String] = []
        postback.forEachSignedField { signed.append(text($0)) }
        postback.forEachIllegalField { illegal.append(text($0)) }
        json = string(postback.json())
        canonicalBody = [UInt8](postback.canonicalBody)
        isRespelled = postback.isRespelled
        unknownType = postback.unknownType.map { text($0.name) }
        result = Result(rawValue: postback.result.rawValue)
        framework = Framework(rawValue: postback.framework.rawValue)
        signedFields = signed
        illegalFields = illegal
        problem = postback.problem.map(text)
        problemField = postback.problemField?.description
        key = postback.key.map(text)
        version = postback.version.map(text)
        adNetworkID = postback.text(.adNetworkID).map(text)
        transactionID = postback.text(.transactionID).map(text)
        postbackSequenceIndex = Int(postback.window)
        campaignID = postback.integer(.campaignID)
        sourceIdentifier = postback.text(.sourceIdentifier).map(text)
        appID = postback.integer(.appID)
        sourceAppID = postback.integer(.sourceAppID)
        sourceDomain = postback.text(.sourceDomain).map(text)
        fidelityType = postback.integer(.fidelityType)
        didWin = postback.integer(.didWin).map { $0 != 0 }
        redownload = postback.integer(.redownload).map { $0 != 0 }
        let conversion = postback.conversion
        conversionType = conversion == .unknown ? nil : ConversionType(rawValue: conversion.rawValue)
        conversionValue = postback.integer(.conversionValue).map { Int($0) }
        coarseConversionValue = postback.integer(.coarseValue).flatMap { CoarseValue(rawValue: numericCast($0)) }
        countryCode = postback.text(.countryCode).map(text)
        adInteractionType = postback.text(.interactionType).map(text)
        keyID = postback.text(.keyID).map(text)
    }
}

/// Decodes a text up to its first NUL, as C does.
private func text(_ bytes: UnsafeRawBufferPointer) -> String {
    String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
}

/// Taking the text as a parameter keeps the buffer alive while its bytes are read.
func string(_ text: borrowing ByteBuffer) -> String { text.withBytes { String(decoding: $0, as: UTF8.self) } }

/// Runs `body`, and rethrows a failure of the core as a `SKANError`.
func translated<Result>(_ body: () throws(Failure) -> Result) throws -> Result {
    do throws(Failure) {
        return try body()
    } catch {
        throw SKANError(
            SKANError.Code(rawValue: error.status.rawValue), String(decoding: error.message.utf8, as: UTF8.self))
    }
}
