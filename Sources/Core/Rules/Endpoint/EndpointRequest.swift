/// Rules, "Endpoint requests": a request to a conversion-value endpoint, checked as the published reference documents
/// it.
package struct EndpointRequest {
    package let protocolVersion: ProtocolVersion
    /// The app's bundle id. Like the other texts, it is valid as long as the items that it was read from.
    package let app: UnsafeRawBufferPointer
    private let owner: EndpointUser
    package let event: UnsafeRawBufferPointer
    /// The amount that came with the event. The request's revenue tables already include it.
    let amount: EventAmount?
    /// The id of the event, by which a repeated request is recognized; nil if there is none.
    let eventID: UnsafeRawBufferPointer?
    /// The registered install that the request describes.
    package let state: InstallState

    /// Reads a request. Throws the reason for the endpoint's answer if the request is invalid. `isTest`: whether the
    /// test endpoint reads the request; it requires fewer items.
    package init(
        _ items: QueryItems, _ protocolVersion: ProtocolVersion, isTest: Bool = false
    ) throws(EndpointRejection) {
        self.protocolVersion = protocolVersion
        if !isTest { _ = try required(items, "a") }
        guard isIOS(try required(items, "p")) else { throw .platform }
        app = isTest ? try text(items, "i") ?? UnsafeRawBufferPointer(start: nil, count: 0) : try required(items, "i")
        // Some clients give the OS version another name.
        if protocolVersion == .skan4, try text(items, "ve") == nil { _ = try required(items, "v") }
        event = try required(items, "n")
        guard Arguments.isRequestEventName(event) else { throw .parameter("n") }
        amount = isTest ? nil : try eventAmount(items, protocolVersion)
        eventID = try repeatableID(items)
        if !isTest { _ = try required(items, "app_v") }
        let user = try EndpointUser { name throws(EndpointRejection) in try text(items, name) }
        guard let user else { throw .parameter("idfv") }
        owner = user
        // A slash could make the key ambiguous, and lead to another user's record.
        guard !app.contains(UInt8(ascii: "/")) else { throw .parameter("i") }
        let room = Limits.installIDBytes &- owner.keyStartBytes &- 1
        guard app.count < room else { throw .parameter("i") }
        guard owner.id.count <= room &- app.count else { throw .parameter(owner.name) }
        state = try EndpointDocument(items: items, protocolVersion: protocolVersion).state()
    }

    /// Rules, "Endpoint users": writes the key of the record in which an endpoint stores the data that requests do not
    /// carry. The key consists of path, kind of user id, app and user.
    package func writeKey(to key: inout ByteBuffer) {
        owner.writeKeyStart(protocolVersion, to: &key)
        key.append(app)
        key.append(UInt8(ascii: "/"))
        key.append(user: owner.id)
    }

    /// Throws if the first or last call is more than a minute ahead of the clock, by which clocks can differ, or if the
    /// last window is closed.
    package func checkOpen(at now: Int64) throws(EndpointRejection) {
        let latest = now &+ 60
        if let first = state.conversion.first, first > latest {
            throw .parameter(detailsItem(firstCall, protocolVersion))
        }
        if let last = state.conversion.last, last > latest { throw .parameter(detailsItem(lastCall, protocolVersion)) }
        guard state.conversion.window(at: now) == nil, let first = state.conversion.first,
            let last = state.conversion.last
        else { return }
        switch protocolVersion {
        case .skan4: throw .period(days: (now &- first) / Day.seconds)
        case .skan3: throw .windowClosed(hours: (now &- last) / 3600)
        }
    }
}

/// The text of an item, at most 256 bytes of UTF-8 without control bytes; nil if the item is absent.
private func text(_ items: QueryItems, _ name: DocumentKey) throws(EndpointRejection) -> UnsafeRawBufferPointer? {
    switch items.find(name) {
    case .none: return nil
    case .value(let value) where value.count <= Limits.textBytes && isPlainText(value): return value
    default: throw .parameter(name)
    }
}

/// Rules, "Events with an amount": the amount of the event; nil if there is none. Throws, with the item's name, if an
/// item is invalid or lacks its counterpart.
private func eventAmount(
    _ items: QueryItems, _ protocolVersion: ProtocolVersion
) throws(EndpointRejection) -> EventAmount? {
    let amountText = try text(items, "event_revenue")
    let currencyText = try text(items, "event_currency")
    let ad = try text(items, "event_ad")
    guard let amountText else {
        if currencyText != nil { throw .parameter("event_currency") }
        if ad != nil { throw .parameter("event_ad") }
        return nil
    }
    guard let currencyText, let amount = Money(decimal: amountText), Arguments.isAmount(amount) else {
        throw .parameter("event_revenue")
    }
    guard let currency = Currency(currencyText) else { throw .parameter("event_currency") }
    let one: StaticString = "1"
    if let ad, protocolVersion == .skan3 || !ad.elementsEqual(one.bytes) { throw .parameter("event_ad") }
    return EventAmount(amount: amount, currency: currency, kind: ad == nil ? .iap : .ad)
}

/// Rules, "Event ids": the id of the event, of any bytes; nil if there is none.
private func repeatableID(_ items: QueryItems) throws(EndpointRejection) -> UnsafeRawBufferPointer? {
    switch items.find("event_id") {
    case .none: return nil
    case .value(let id) where id.count <= Limits.eventIDBytes: return id
    default: throw .parameter("event_id")
    }
}

private func required(_ items: QueryItems, _ name: DocumentKey) throws(EndpointRejection) -> UnsafeRawBufferPointer {
    guard let value = try text(items, name) else { throw .parameter(name) }
    return value
}

/// Accepts "iOS" in upper and lower case.
private func isIOS(_ platform: UnsafeRawBufferPointer) -> Bool {
    let name: StaticString = "ios"
    guard platform.count == name.utf8CodeUnitCount else { return false }
    for index in 0..<platform.count where platform[index] | 0x20 != name.utf8Start[index] { return false }
    return true
}

private var firstCall: DocumentKey { "skan_first_call_to_skadnetwork_timestamp" }
private var lastCall: DocumentKey { "skan_last_call_to_skadnetwork_timestamp" }

/// Requests of SKAN 3 have other names for some of the details.
private func detailsItem(_ key: DocumentKey, _ protocolVersion: ProtocolVersion) -> DocumentKey {
    guard protocolVersion == .skan3 else { return key }
    for (name, item) in skan3Items where key.isEqual(name.bytes) { return item }
    return key
}

private var skan3Items: [(StaticString, DocumentKey)] {
    [
        ("skan_conversion_value", "conversion_value"),
        ("skan_total_revenue_by_currency", "total_revenue_by_currency"),
        ("skan_first_call_to_skadnetwork_timestamp", "first_call_to_skadnetwork_timestamp"),
        ("skan_last_call_to_skadnetwork_timestamp", "last_call_to_skadnetwork_timestamp"),
    ]
}

/// The details in a request's items, under the names that import expects.
private final class EndpointDocument: DetailsDocument {
    let items: QueryItems
    let protocolVersion: ProtocolVersion
    /// The key that import asked for last.
    private var newest: DocumentKey = "skan_current_conversion_value"

    init(items: QueryItems, protocolVersion: ProtocolVersion) {
        self.items = items
        self.protocolVersion = protocolVersion
    }

    func state() throws(EndpointRejection) -> InstallState {
        if case .none = value(firstCall) { throw .parameter(item(firstCall)) }
        let state: InstallState
        do throws(Failure) {
            state = try InstallState(importing: self, protocolVersion)
        } catch {
            // Import stops at the invalid key, which is therefore the newest.
            throw .parameter(item(newest))
        }
        if protocolVersion == .skan4, state.conversion.fine == nil { throw .parameter("skan_current_conversion_value") }
        return state
    }

    private func item(_ key: DocumentKey) -> DocumentKey { detailsItem(key, protocolVersion) }

    // MARK: DetailsDocument

    func value(_ key: DocumentKey) -> DocumentValue {
        newest = key
        switch items.find(item(key)) {
        case .none: return .none
        case .unfit: return .other("an item that appears twice or has an invalid % escape")
        case .value(let value):
            return value.first == UInt8(ascii: "{") ? .object : .text(JSONString(raw: value, isEscaped: false))
        }
    }

    func forEachMember(of key: DocumentKey, _ body: (UnsafeRawBufferPointer, DocumentValue) -> Bool) {
        guard case .value(let json) = items.find(item(key)) else { return }
        guard let table = try? JSONDocument(json) else {
            _ = body(UnsafeRawBufferPointer(start: nil, count: 0), .none)
            return
        }
        for member in table.members {
            let value: DocumentValue = member.value.kind == .number ? .number(member.value.text) : .other("no number")
            guard member.key.withUTF8({ body($0, value) }) else { return }
        }
    }
}

/// Rules, "Endpoint reasons": the reason for an error answer, in the words of the published endpoint.
package enum EndpointRejection: Error {
    case windowClosed(hours: Int64)
    case platform
    /// An item is missing or invalid.
    case parameter(DocumentKey)
    case noModel(app: [UInt8])
    case period(days: Int64)

    package var reason: Message {
        switch self {
        case .windowClosed(let hours):
            "More than 24 hours have past since last conversion update (\(hours) hours), the update window is closed"
        case .platform:
            "Unknown platform error - Non iOS platform"
        case .parameter(let name):
            invalidParameter(name)
        case .noModel(let app):
            "Conversion Management: Conversion Model not found for app: \(Message(utf8: app))"
        case .period(let days):
            "Invalid measurement period: \(days)"
        }
    }
}
