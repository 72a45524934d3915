internal import SKANCommandOutput
internal import SKANCommandStores
internal import SKANCore
package import SKANPostbackReceiving
package import SKANPostbackVerification
package import SKANSystem

/// A counted postback as one flat row: all that is known of it, a cell for each column.
package struct PostbackRow {
    enum Cell {
        case none
        case text([UInt8])
        /// A text of the command's own: a time, an amount.
        case plain(Message)
        case number(Int64)
        case truth(Bool)
    }

    private(set) var cells = [Cell](repeating: .none, count: RowColumn.allCases.count)

    /// `key`: of its record.
    package init(
        _ record: borrowing PostbackRecord, of postback: VerifiedPostback, under key: Bytes, _ sources: RowSources
    ) {
        self.init(record, of: postback, ObservedPostback(record, of: postback, sources.models), under: key, sources)
    }

    init(
        _ record: borrowing PostbackRecord, of postback: VerifiedPostback, _ observed: borrowing ObservedPostback,
        under key: Bytes, _ sources: RowSources
    ) {
        self[.id] = .text([UInt8](key.suffix(PostbackDigits.count)))
        self[.received] = .time(observed.received)
        if !record.network.isEmpty { self[.sender] = .text(record.network) }
        set(postback)
        set(observed, sources.campaigns)
        set(sources.models.meaning(of: observed))
        set(observed.dates, isReengagement: observed.conversion == .reengagement)
    }

    subscript(column: RowColumn) -> Cell {
        get { cells[column.rawValue] }
        set { cells[column.rawValue] = newValue }
    }
}

/// What rows are made with beside the postbacks.
package struct RowSources {
    package var models = RevenueModels()
    package var campaigns = Campaigns.none

    package init() {}
}

// MARK: The cells

extension PostbackRow {
    private mutating func set(_ column: RowColumn, text: [UInt8]?) { if let text { self[column] = .text(text) } }

    private mutating func set(_ column: RowColumn, number: Int64?) { if let number { self[column] = .number(number) } }

    /// 1 or 0.
    private mutating func set(_ column: RowColumn, truth: Int64?) { if let truth { self[column] = .truth(truth != 0) } }

    private mutating func set(_ postback: VerifiedPostback) {
        self[.framework] = .word(postback.framework.name)
        set(.version, text: postback.version.map { [UInt8]($0.prefix { $0 != 0 }) })
        set(.adNetworkID, text: postback.textUntilNUL(.adNetworkID))
        set(.sourceIdentifier, text: postback.textUntilNUL(.sourceIdentifier))
        set(.transactionID, text: postback.textUntilNUL(.transactionID))
        set(.sourceDomain, text: postback.textUntilNUL(.sourceDomain))
        set(.countryCode, text: postback.textUntilNUL(.countryCode))
        set(.adInteractionType, text: postback.textUntilNUL(.interactionType))
        set(.campaignID, number: postback.integer(.campaignID))
        set(.appID, number: postback.integer(.appID))
        set(.sourceAppID, number: postback.integer(.sourceAppID))
        set(.fidelityType, number: postback.integer(.fidelityType))
        set(.conversionValue, number: postback.integer(.conversionValue))
        set(.redownload, truth: postback.integer(.redownload))
        set(.didWin, truth: postback.integer(.didWin))
        self[.sequenceIndex] = .number(Int64(postback.window))
        if postback.conversion != .unknown { self[.conversionType] = .word(postback.conversion.name) }
        if let coarse = postback.integer(.coarseValue) {
            self[.coarseConversionValue] = .word(coarseName(UInt8(clamping: coarse)))
        }
    }

    private mutating func set(_ observed: borrowing ObservedPostback, _ campaigns: Campaigns) {
        self[.conversion] = .word(observed.conversion.name)
        self[.won] = .truth(observed.isWinning)
        guard let network = observed.network else { return }
        set(.networkName, text: campaigns.networkName(network))
        set(.campaignName, text: campaigns.name(network, observed.identifier.campaign))
        set(.adSetName, text: campaigns.adSet(network, observed.identifier))
    }

    private mutating func set(_ meaning: PostbackMeaning) {
        if let name = meaning.decoding.name { self[.decoding] = .word(name) }
        if let model = meaning.model { self[.model] = .plain(Message(writing: model.write)) }
        switch meaning.worth {
        case .lost: break
        case .hidden: self[.revenue] = .word("hidden")
        case .unknown(let reason): self[.revenue] = .word(reason.key)
        case .known(let known):
            self[.revenue] = .word("known")
            self[.revenueMin] = .plain(known.range.least.exactText)
            if let most = known.range.most { self[.revenueMax] = .plain(most.exactText) }
            self[.revenueEstimate] = .plain(known.estimate.exactText)
        }
        guard let (currency, events) = meaning.decoded else { return }
        self[.currency] = .plain(Message(writing: currency.write))
        self[.events] = .text(events)
    }

    private mutating func set(_ dates: EstimatedDates, isReengagement: Bool) {
        self[isReengagement ? .reengagedFrom : .installedFrom] = .time(dates.from)
        self[isReengagement ? .reengagedUntil : .installedUntil] = .time(dates.untilUnlocked)
        self[isReengagement ? .reengagedUntilIfLocked : .installedUntilIfLocked] = .time(dates.until)
    }
}

extension PostbackRow.Cell {
    /// Unix seconds.
    fileprivate static func time(_ seconds: Int64) -> PostbackRow.Cell { .plain(utcTime(seconds)) }

    fileprivate static func word(_ word: StaticString) -> PostbackRow.Cell { .plain("\(word)") }
}

extension AdConversion {
    fileprivate var name: StaticString {
        switch self {
        case .install: "install"
        case .redownload: "redownload"
        case .reengagement: "re-engagement"
        }
    }
}
