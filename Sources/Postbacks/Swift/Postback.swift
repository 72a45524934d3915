internal import CSKAN
internal import CSKANPostback
public import SKAN
internal import SKANCStore

/// One of Apple's install postbacks, read and verified. What is absent, or not of its type, is nil.
///
///     let postback = try Postback(verifying: body)
///     if postback.result == .valid { … }
///
/// Conversion values and the country code are not signed. A value that is nil is hidden by Apple, not 0.
public struct Postback: Sendable, Equatable {
    /// What a postback is by its signature.
    public struct Result: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
        public let rawValue: Int32

        public init(rawValue: Int32) { self.rawValue = rawValue }

        /// Signed by Apple, every signed field is as it was signed.
        public static let valid = Result(rawValue: 0)
        /// The signature does not fit.
        public static let invalid = Result(rawValue: 1)
        /// Of a version, or signed with a key, that is not known here.
        public static let unverifiable = Result(rawValue: 2)
        /// The signature fits, and is of a development key of AdAttributionKit: a test.
        public static let development = Result(rawValue: 3)
        /// No postback.
        public static let malformed = Result(rawValue: 4)

        /// "valid", "invalid", "unverifiable", "development", "malformed".
        public var description: String { String(cString: skan_postback_result_name(rawValue)) }
    }

    /// Where a postback comes from.
    public struct Framework: RawRepresentable, Sendable, Hashable {
        public let rawValue: Int32

        public init(rawValue: Int32) { self.rawValue = rawValue }

        public static let skAdNetwork = Framework(rawValue: 0)
        public static let adAttributionKit = Framework(rawValue: 1)
    }

    /// What the ad brought about.
    public struct ConversionType: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
        public let rawValue: Int32

        public init(rawValue: Int32) { self.rawValue = rawValue }

        /// The first install of the app by this person.
        public static let download = ConversionType(rawValue: 1)
        /// An install by someone who had the app before.
        public static let redownload = ConversionType(rawValue: 2)
        /// Of AdAttributionKit: no install; a tap on an ad led back into the app.
        public static let reengagement = ConversionType(rawValue: 3)

        /// "download", "redownload", "re-engagement".
        public var description: String { String(cString: skan_postback_conversion_type_name(rawValue)) }
    }

    public let result: Result
    public let framework: Framework
    /// What the signature proves, in the order of the signed text; empty where it proves nothing.
    public let signedFields: [String]
    /// Unsigned fields of the wrong type or out of range: they count as absent.
    public let illegalFields: [String]
    /// Why it is malformed or unverifiable, and the field that makes it so.
    public let problem: String?
    public let problemField: String?
    /// What names it wherever it arrives again.
    public let key: String?
    /// Of SKAdNetwork, "1.0" to "4.0".
    public let version: String?
    public let adNetworkID: String?
    /// The transaction or postback identifier.
    public let transactionID: String?
    /// The sequence index, 0 to 2; 0 where the version has none.
    public let window: Int
    public let campaignID: Int64?
    public let sourceIdentifier: String?
    public let appID: Int64?
    public let sourceAppID: Int64?
    public let sourceDomain: String?
    public let fidelityType: Int64?
    public let didWin: Bool?
    /// Of SKAdNetwork.
    public let redownload: Bool?
    /// Of both frameworks; nil = not told. The values of a re-engagement mean what a model for re-engagements says: do
    /// not decode them by one for installs.
    public let conversionType: ConversionType?
    /// 0 to 63; nil = hidden. Not signed, as the next three.
    public let conversionValue: Int?
    /// nil = hidden.
    public let coarseValue: CoarseValue?
    public let countryCode: String?
    /// "click" or "view".
    public let interactionType: String?
    /// The `kid` of a JWS.
    public let keyID: String?
    /// The whole as JSON, signed and unsigned fields apart, as postback.h describes it.
    public let json: String

    /// Reads a postback of SKAdNetwork 1.0 to 4.0 or AdAttributionKit and verifies its signature; every result is a
    /// value.
    ///
    /// - Throws: `SKANError.Code.limitExceeded` for more than 64 KiB.
    public init(verifying body: some Collection<UInt8>, keys: PostbackKeys = .apple) throws {
        let bytes = [UInt8](body)
        var native: OpaquePointer?
        var failure: OpaquePointer?
        let status = keys.withNative { keys in
            var options = skan_postback_options(size: MemoryLayout<skan_postback_options>.size, keys: keys)
            return skan_postback_verify(bytes, bytes.count, &options, &native, &failure)
        }
        guard status == 0, let native else { throw SKANError(ending: failure) }
        defer { skan_postback_destroy(native) }
        try self.init(native)
    }

    private init(_ native: OpaquePointer) throws {
        var fields = skan_postback_fields()
        fields.size = MemoryLayout<skan_postback_fields>.size
        var whole: UnsafeMutablePointer<CChar>?
        var failure: OpaquePointer?
        var status = skan_postback_read(native, &fields, &failure)
        if status == 0 { status = skan_postback_json(native, &whole, &failure) }
        guard status == 0, let whole else { throw SKANError(ending: failure) }
        defer { skan_free(whole) }
        json = String(cString: whole)
        result = Result(rawValue: skan_postback_result(native))
        framework = Framework(rawValue: fields.framework)
        signedFields = names(skan_postback_signed_fields, native)
        illegalFields = names(skan_postback_illegal_fields, native)
        let words = text(skan_postback_problem(native))
        problem = words == "" ? nil : words
        problemField = text(skan_postback_problem_field(native))
        key = text(skan_postback_key_of(native))
        version = text(fields.version)
        adNetworkID = text(fields.ad_network_id)
        transactionID = text(fields.transaction_id)
        window = Int(fields.window)
        campaignID = fields.campaign_id?.pointee
        sourceIdentifier = text(fields.source_identifier)
        appID = fields.app_id?.pointee
        sourceAppID = fields.source_app_id?.pointee
        sourceDomain = text(fields.source_domain)
        fidelityType = fields.fidelity_type?.pointee
        didWin = fields.did_win < 0 ? nil : fields.did_win != 0
        redownload = fields.redownload < 0 ? nil : fields.redownload != 0
        conversionType = fields.conversion_type == 0 ? nil : ConversionType(rawValue: fields.conversion_type)
        conversionValue = fields.conversion_value < 0 ? nil : Int(fields.conversion_value)
        coarseValue = fields.coarse_value < 0 ? nil : CoarseValue(rawValue: numericCast(fields.coarse_value))
        countryCode = text(fields.country_code)
        interactionType = text(fields.interaction_type)
        keyID = text(fields.key_id)
    }
}

private func text(_ text: UnsafePointer<CChar>?) -> String? { text.map { String(cString: $0) } }

private func names(
    _ list: (OpaquePointer?, UnsafeMutablePointer<Int>?) -> UnsafePointer<UnsafePointer<CChar>?>?,
    _ native: OpaquePointer
) -> [String] {
    var count = 0
    guard let names = list(native, &count) else { return [] }
    return (0..<count).compactMap { text(names[$0]) }
}
