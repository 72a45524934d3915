package import SKANCommandReport
package import SKANCommandStores
package import SKANCore
internal import SKANPostbackReceiving
internal import SKANPostbackVerification
package import SKANSystem

/// The conversion models that decode postbacks.
package struct PartnerModels: Sendable {
    private let installs: [ConversionModel]
    private let reengagements: [ConversionModel]

    package init(installs: [ConversionModel], reengagements: [ConversionModel]) {
        self.installs = installs
        self.reengagements = reengagements
    }

    /// The campaigns and models with which messages to partners are made.
    func rowSources(_ campaigns: Campaigns) -> RowSources {
        var sources = RowSources()
        sources.campaigns = campaigns
        for model in installs + reengagements { sources.models.addForRows(model) }
        return sources
    }
}

extension PartnerURL {
    /// What the partner of an entry is told, from the record of its postback. Throws where the record cannot be read,
    /// or the model is not there that decodes it: once it is given again, the partner is told all.
    @export(interface)
    package func message(
        for entry: OutboxEntryName, record: Bytes, _ sources: RowSources
    ) throws(Failure) -> CText {
        let told: PostbackRecord
        let postback: VerifiedPostback
        do throws(Failure) {
            let (record, body) = try PostbackRecord.read(record)
            told = record
            postback = VerifiedPostback(restoring: body, record.verdict)
        } catch {
            throw Failure(error.status, "its postback's record: \(error.message)")
        }
        var values = PartnerValues()
        values.set(postback)
        values[.id] = entry.id
        values[.network] = entry.network
        values.set(.received, told.received / 1_000_000)
        try values.set(sources.models.meaning(of: postback, told))
        return filled(values)
    }
}

/// The body of a POST to a partner: the postback's row.
func partnerRow(of record: Bytes, for entry: OutboxEntryName, _ sources: RowSources) throws(Failure) -> [UInt8] {
    let (told, body) = try PostbackRecord.read(record)
    let postback = VerifiedPostback(restoring: body, told.verdict)
    return entry.postback.withUnsafeBytes { PostbackRow(told, of: postback, under: $0, sources).json().array }
}

extension PartnerValues {
    fileprivate mutating func set(_ placeholder: PartnerPlaceholder, _ number: Int64?) {
        self[placeholder] = number.map { ("\($0)" as Message).utf8 }
    }

    fileprivate mutating func set(_ placeholder: PartnerPlaceholder, _ word: StaticString) {
        self[placeholder] = [UInt8](word.bytes)
    }

    fileprivate mutating func set(_ postback: VerifiedPostback) {
        set(.framework, postback.framework.name)
        self[.version] = postback.version.map { [UInt8]($0.prefix { $0 != 0 }) }
        self[.adNetwork] = postback.textUntilNUL(.adNetworkID)
        self[.transaction] = postback.textUntilNUL(.transactionID)
        self[.sourceIdentifier] = postback.textUntilNUL(.sourceIdentifier)
        self[.sourceDomain] = postback.textUntilNUL(.sourceDomain)
        self[.country] = postback.textUntilNUL(.countryCode)
        self[.interaction] = postback.textUntilNUL(.interactionType)
        set(.campaign, postback.integer(.campaignID))
        set(.app, postback.integer(.appID))
        set(.sourceApp, postback.integer(.sourceAppID))
        set(.fidelity, postback.integer(.fidelityType))
        set(.window, Int64(postback.window))
        set(.didWin, postback.integer(.didWin))
        set(.redownload, postback.integer(.redownload))
        set(.fine, postback.integer(.conversionValue))
        if let coarse = postback.integer(.coarseValue) { set(.coarse, coarseName(UInt8(clamping: coarse))) }
        if postback.conversion != .unknown { set(.conversionType, postback.conversion.name) }
    }

    /// What the row of a POST says of the value, too.
    fileprivate mutating func set(_ meaning: PostbackMeaning) throws(Failure) {
        if let name = meaning.decoding.name { set(.decoding, name) }
        if let version = meaning.model {
            let digits = Message(writing: version.write)
            self[.model] = digits.utf8
            if case .unknown(.modelMissing) = meaning.worth {
                throw Failure(.modelUnknown, "the model \(digits) is not there to decode it")
            }
        }
        guard let (currency, events) = meaning.decoded else { return }
        self[.events] = events
        self[.currency] = Message(writing: currency.write).utf8
        guard case .known(let revenue) = meaning.worth else { return }
        set(.revenueKind, RevenueAxis(revenue.kind, lifetime: false).kindName)
        self[.revenueMin] = Message(writing: revenue.range.least.write).utf8
        self[.revenueMax] = revenue.range.most.map { Message(writing: $0.write).utf8 }
    }
}
