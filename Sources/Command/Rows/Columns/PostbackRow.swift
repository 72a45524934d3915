import SKANCommandOutput
import SKANCommandStores
package import SKANCore
package import SKANPostbackReceiving
package import SKANPostbackVerification
package import SKANSystem

/// A counted postback as one flat row: a cell for each column, with everything known about the postback.
package struct PostbackRow {
    package enum Cell {
        case none
        case text([UInt8])
        case word(StaticString)
        /// A time in Unix seconds.
        case time(Int64)
        case amount(Money)
        case number(Int64)
        case truth(Bool)
    }

    private(set) var cells = [Cell](repeating: .none, count: RowColumn.allCases.count)

    /// `key`: the key of the postback's record in the store.
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
        self[.framework] = .word(postback.framework.name)
        for column in RowColumn.allCases {
            if let field = column.field { self[column] = Cell(field, of: postback) }
        }
        setQuality(of: postback)
        set(observed, sources.campaigns)
        set(sources.models.meaning(of: observed))
        set(observed.dates, isReengagement: observed.conversion == .reengagement)
    }

    /// Whether the revenue is unknown because the model that decodes the value was not given.
    package private(set) var lacksItsModel = false

    package private(set) subscript(column: RowColumn) -> Cell {
        get { cells[column.rawValue] }
        set { cells[column.rawValue] = newValue }
    }
}

/// The models and campaigns that rows are made with.
package struct RowSources {
    package var models = RevenueModels()
    package var campaigns = Campaigns.none

    package init() {}
}

// MARK: The cells

extension PostbackRow {
    private mutating func set(_ column: RowColumn, text: [UInt8]?) { if let text { self[column] = .text(text) } }

    /// Sets the columns that tell whether the postback was changed on its way, and the column for a type that the
    /// library does not know.
    private mutating func setQuality(of postback: VerifiedPostback) {
        self[.respelled] = .truth(postback.isRespelled)
        var illegal: [UInt8] = []
        postback.forEachIllegalField { name in illegal += (illegal.isEmpty ? [] : [UInt8(ascii: " ")]) + name }
        if !illegal.isEmpty { self[.illegal] = .text(illegal) }
        if let (_, name) = postback.unknownType { self[.unknownType] = .text([UInt8](name.prefix { $0 != 0 })) }
    }

    private mutating func set(_ observed: borrowing ObservedPostback, _ campaigns: Campaigns) {
        self[.conversion] = .word(observed.conversion.name)
        self[.won] = .truth(observed.isWinning)
        guard let network = observed.network else { return }
        set(.networkName, text: campaigns.networkName(network))
        set(.campaignName, text: campaigns.name(network, observed.identifier.campaign, of: observed.app))
        set(.adSetName, text: campaigns.adSet(network, observed.identifier, of: observed.app))
    }

    private mutating func set(_ meaning: PostbackMeaning) {
        if let name = meaning.decoding.name { self[.decoding] = .word(name) }
        if let model = meaning.model { self[.model] = .text(Message(writing: model.write).utf8) }
        switch meaning.worth {
        case .lost: break
        case .hidden: self[.revenue] = .word("hidden")
        case .illegal: self[.revenue] = .word("illegal")
        case .unknownType: self[.revenue] = .word("unknown_type")
        case .unknown(let reason):
            self[.revenue] = .word(reason.key)
            lacksItsModel = meaning.model != nil && reason == .modelMissing
        case .known(let known):
            self[.revenue] = .word("known")
            self[.revenueMin] = .amount(known.range.least)
            if let most = known.range.most { self[.revenueMax] = .amount(most) }
            self[.revenueEstimate] = .amount(known.estimate)
            self[.revenueKind] = .word(RevenueAxis(known.kind, lifetime: false).kindName)
        }
        guard let (currency, events) = meaning.decoded else { return }
        self[.currency] = .text(Message(writing: currency.write).utf8)
        self[.events] = .text(events)
    }

    private mutating func set(_ dates: EstimatedDates, isReengagement: Bool) {
        self[isReengagement ? .reengagedFrom : .installedFrom] = .time(dates.from)
        self[isReengagement ? .reengagedUntil : .installedUntil] = .time(dates.untilUnlocked)
        self[isReengagement ? .reengagedUntilIfLocked : .installedUntilIfLocked] = .time(dates.until)
    }
}

extension PostbackRow.Cell {
    /// Takes the value of a field in the postback; `.none` if the field is absent or of another type.
    fileprivate init(_ field: PostbackField, of postback: VerifiedPostback) {
        self = Self.told(field, of: postback) ?? .none
    }

    /// A type that the library does not know is written as the postback has it.
    private static func conversionType(of postback: VerifiedPostback) -> Self? {
        switch postback.conversion {
        case .unknown: nil
        case .other: postback.textUntilNUL(.conversionType).map { .text($0) }
        default: .word(postback.conversion.name)
        }
    }

    private static func told(_ field: PostbackField, of postback: VerifiedPostback) -> Self? {
        switch field {
        case .version: postback.version.map { .text([UInt8]($0.prefix { $0 != 0 })) }
        case .conversionType: conversionType(of: postback)
        case .coarseValue: postback.integer(field).map { .word(coarseName(UInt8(clamping: $0))) }
        default:
            switch field.type {
            case .text: postback.textUntilNUL(field).map { .text($0) }
            case .integer: postback.integer(field).map { .number($0) }
            case .boolean: postback.integer(field).map { .truth($0 != 0) }
            case .window: .number(Int64(postback.window))
            }
        }
    }
}

extension AdConversion {
    fileprivate var name: StaticString {
        switch self {
        case .install: "install"
        case .redownload: "redownload"
        case .reengagement: "re-engagement"
        case .unknownType: "unknown_type"
        }
    }
}
