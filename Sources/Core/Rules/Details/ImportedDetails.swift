/// Rules, "Import": imports a details document of this library or the published snippet as an install's state.

/// The value of a key in a document to be imported.
package enum DocumentValue {
    /// The key is missing, or its value is null.
    case none
    /// A number as written in the document.
    case number(UnsafeRawBufferPointer)
    case text(JSONString)
    case object
    case other(StaticString)

    var description: Message {
        switch self {
        case .none: "null"
        case .number(let text): "the number \(quoted: text)"
        case .text(let text): "the text \(text)"
        case .object: "an object"
        case .other(let kind): "\(kind)"
        }
    }
}

/// A document to import. It is a class, so that the import is compiled only once for all kinds of documents.
package protocol DetailsDocument: AnyObject {
    func value(_ key: DocumentKey) -> DocumentValue
    /// Calls `body` with each member of the object under this key, until it returns false.
    func forEachMember(of key: DocumentKey, _ body: (UnsafeRawBufferPointer, DocumentValue) -> Bool)
}

extension InstallState {
    /// Throws INVALID_DOCUMENT with the key whose value breaks a rule.
    package init(
        importing document: any DetailsDocument, _ protocolVersion: ProtocolVersion
    ) throws(Failure) {
        self.init(protocolVersion)
        let times = Limits.timestamps
        conversion.first = try integer(document, "skan_first_call_to_skadnetwork_timestamp", times)
        conversion.last = try integer(document, "skan_last_call_to_skadnetwork_timestamp", times)
        try requireFirst(conversion.last, "skan_last_call_to_skadnetwork_timestamp")
        if conversion.last == nil { conversion.last = conversion.first }

        switch protocolVersion {
        case .skan4:
            conversion.fine = try value(document, "skan_current_conversion_value", max: 63)
            conversion.previousFine = try value(document, "prev_fine_value", max: 63)
            for window in Window.all { try importWindow(document, window) }
        case .skan3:
            conversion.fine = try value(document, "skan_conversion_value", max: 63)
        }

        // The tables are read in the order of their numbers, so that the totals are sorted.
        var totals = RevenueTables()
        try importTable(document, .lifetime(.iap), "skan_total_revenue_by_currency", &totals)
        if protocolVersion == .skan4 {
            try importTable(document, .lifetime(.ad), "skan_total_admon_revenue_by_currency", &totals)
            for window in Window.all {
                try importWindowTable(document, window, .iap, &totals)
                try importWindowTable(document, window, .ad, &totals)
            }
        }
        revenue = totals
    }

    @inline(never)
    private mutating func importWindow(_ document: any DetailsDocument, _ window: Window) throws(Failure) {
        var state = WindowState()
        state.coarse = try value(document, .coarse(window), max: 2)
        state.previousCoarse = try value(document, .previousCoarse(window), max: 2)
        state.lock = try integer(document, .lock(window), Limits.timestamps)
        try requireFirst(state.lock, .lock(window))
        conversion.windows[window] = state
    }

    private func importWindowTable(
        _ document: any DetailsDocument, _ window: Window, _ kind: RevenueKind, _ totals: inout RevenueTables
    ) throws(Failure) {
        let (key, before) = (DocumentKey.revenue(window, kind), totals.count)
        try importTable(document, .window(window, kind), key, &totals)
        if totals.count > before { try requireFirst(0, key) }
    }

    /// Reads a fine or coarse value; nil if there is none.
    private func value(
        _ document: any DetailsDocument, _ key: DocumentKey, max: Int64
    ) throws(Failure) -> UInt8? {
        let value = try integer(document, key, 0...max)
        try requireFirst(value, key)
        return value.map { UInt8(truncatingIfNeeded: $0) }
    }

    /// Throws if there is a value but no first timestamp. An install that is not registered can have only lifetime
    /// revenue.
    private func requireFirst(_ value: Int64?, _ key: DocumentKey) throws(Failure) {
        guard value != nil, conversion.first == nil else { return }
        throw Failure(
            .invalidDocument, "\(key): expected skan_first_call_to_skadnetwork_timestamp beside it, which is missing")
    }
}

/// Reads an integer, which can also be written as a decimal string; nil if there is none.
@inline(never)
private func integer(
    _ document: any DetailsDocument, _ key: DocumentKey, _ range: ClosedRange<Int64>
) throws(Failure) -> Int64? {
    let value = document.value(key)
    let number: Int64?
    switch value {
    case .none: return nil
    case .number(let text): number = DecimalNumber(text)?.integer
    case .text(let text): number = text.withUTF8 { DecimalNumber($0)?.integer }
    default: number = nil
    }
    guard let number, range.contains(number) else {
        throw Failure(
            .invalidDocument,
            "\(key): expected a whole number from \(range.lowerBound) to \(range.upperBound), got \(value.description)")
    }
    return number
}

/// Appends a table of amounts by currency, in the order of currencies.
@inline(never)
private func importTable(
    _ document: any DetailsDocument, _ table: RevenueTable, _ key: DocumentKey, _ totals: inout RevenueTables
) throws(Failure) {
    let value = document.value(key)
    switch value {
    case .none: return
    case .object: break
    default:
        throw Failure(.invalidDocument, "\(key): expected an object of amounts by currency, got \(value.description)")
    }
    var read: [RevenueTotal] = []
    var failure: Failure?
    document.forEachMember(of: key) { name, amount in
        guard let currency = Currency(name) else {
            failure = Failure(
                .invalidDocument, "\(key): expected currencies of three ASCII letters, got \(quoted: name)")
            return false
        }
        guard case .number(let text) = amount, let total = Money(decimal: text) else {
            failure = Failure(
                .invalidDocument,
                "\(key): \(quoted: name): expected a number between -1e18 and 1e18, got \(amount.description)")
            return false
        }
        let place = RevenueTotal.key(table, currency)
        let index = read.firstIndex { $0.key >= place } ?? read.count
        guard index == read.count || read[index].key != place else {
            failure = Failure(.invalidDocument, "\(key): \(quoted: name) appears twice")
            return false
        }
        guard read.count < Limits.currencies else {
            failure = Failure(.invalidDocument, "\(key): expected at most \(Limits.currencies) currencies, got more")
            return false
        }
        read.insert(RevenueTotal(key: place, total: total), at: index)
        return true
    }
    if let failure { throw failure }
    for total in read { totals.append(total) }
}

/// Gives an install the imported state, if it has no record yet.
package struct Importing: Rule {
    private let imported: InstallState

    /// `model`: the model for new installs, which the imported install gets if it is registered.
    package init(_ imported: InstallState, model: ConversionModel? = nil) {
        var imported = imported
        if let model, imported.conversion.isRegistered { imported.conversion.model = InstallModel(model) }
        self.imported = imported
    }

    package mutating func run(on state: inout InstallState) throws(Failure) -> Verdict {
        guard !state.isStored else { return .unchanged(.alreadyRegistered) }
        state = imported
        return .changed()
    }
}
