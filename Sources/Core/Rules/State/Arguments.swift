/// Rules, "Arguments": checks the arguments of calls before anything else is done. All checks throw INVALID_ARGUMENT.
package enum Arguments {
    /// Checks an install id: 1...128 bytes of UTF-8 without control bytes.
    @inline(__always)
    package static func checkInstallID(
        _ id: UnsafeRawBufferPointer, _ name: StaticString = "install_id"
    ) throws(Failure) {
        guard id.count >= 1, id.count <= Limits.installIDBytes, isPlainText(id) else { throw badInstallID(id, name) }
    }

    @inline(never)
    private static func badInstallID(_ id: UnsafeRawBufferPointer, _ name: StaticString) -> Failure {
        Failure(
            .invalidArgument,
            "\(name): expected 1 to \(Limits.installIDBytes) bytes of UTF-8 without control bytes, got \(found(id))")
    }

    /// Checks an event id, if there is one: 1...128 bytes.
    @inline(__always)
    package static func checkEventID(_ id: UnsafeRawBufferPointer?) throws(Failure) {
        guard let id else { return }
        guard id.count >= 1, id.count <= Limits.eventIDBytes else {
            throw Failure(
                .invalidArgument, "event_id: expected 1 to \(Limits.eventIDBytes) bytes, got \(found(id))")
        }
    }

    /// Checks an event name: 1...64 bytes of UTF-8 without control bytes or, if requests will carry the name, 1...32
    /// printable ASCII bytes. nil is a session, whose name is returned.
    package static func eventName(
        _ name: UnsafeRawBufferPointer?, isForRequest: Bool
    ) throws(Failure) -> UnsafeRawBufferPointer {
        guard let name else { return sessionEvent }
        guard name.count >= 1, name.count <= Limits.eventNameBytes, isPlainText(name),
            !isForRequest || isRequestEventName(name)
        else { throw badEventName(name, isForRequest: isForRequest) }
        return name
    }

    /// The caller has checked that the name has no control bytes.
    static func isRequestEventName(_ name: UnsafeRawBufferPointer) -> Bool {
        name.count <= Limits.requestEventNameBytes && name.allSatisfy { $0 < 0x80 }
    }

    @inline(never)
    private static func badEventName(_ name: UnsafeRawBufferPointer, isForRequest: Bool) -> Failure {
        let most = isForRequest ? Limits.requestEventNameBytes : Limits.eventNameBytes
        let kind: StaticString = isForRequest ? "printable ASCII bytes" : "bytes of UTF-8 without control bytes"
        return Failure(.invalidArgument, "event_name: expected 1 to \(most) \(kind), got \(found(name))")
    }

    private static var sessionEvent: UnsafeRawBufferPointer {
        let name: StaticString = "__SESSION__"
        return name.bytes
    }

    @inline(__always)
    package static func currency(_ text: UnsafeRawBufferPointer) throws(Failure) -> Currency {
        guard let currency = Currency(text) else {
            throw Failure(.invalidArgument, "currency: expected three ASCII letters, got \(found(text))")
        }
        return currency
    }

    /// Checks an amount, which must be finite and below 10¹² in magnitude.
    @inline(__always)
    package static func amount(_ amount: Double) throws(Failure) -> Money {
        guard let money = Money(exactly: amount) else {
            throw Failure(
                .invalidArgument, "amount: expected a finite number between -1e12 and 1e12, got \(amount)")
        }
        return money
    }

    /// Reads an amount from a decimal number as JSON writes it. It is rounded half-even to 12 places, and must then be
    /// below 10¹² in magnitude.
    package static func amount(text: UnsafeRawBufferPointer) throws(Failure) -> Money {
        guard text.count <= Limits.amountBytes else {
            throw Failure(.invalidArgument, "amount: expected at most \(Limits.amountBytes) bytes, got more")
        }
        guard let money = Money(decimal: text), isAmount(money) else {
            throw Failure(
                .invalidArgument, "amount: expected a decimal number between -1e12 and 1e12, got \(found(text))")
        }
        return money
    }

    /// Whether one call may add the amount: its magnitude must be below 10¹².
    package static func isAmount(_ money: Money) -> Bool {
        money.units.magnitude < Money.scale.magnitude * Money.scale.magnitude
    }

    /// Converts a number to a kind of revenue: 0 is IAP, 1 is ad revenue, which SKAN 3 does not have.
    @inline(__always)
    package static func kind(_ number: Int32, _ protocolVersion: ProtocolVersion) throws(Failure) -> RevenueKind {
        guard number != 0 else { return .iap }
        return try adRevenue(number, protocolVersion)
    }

    @inline(never)
    private static func adRevenue(
        _ number: Int32, _ protocolVersion: ProtocolVersion
    ) throws(Failure) -> RevenueKind {
        guard number == 1 else {
            throw Failure(.invalidArgument, "kind: expected 0 (IAP) or 1 (ad revenue), got \(number)")
        }
        guard protocolVersion == .skan4 else {
            throw Failure(.invalidArgument, "kind: expected IAP in SKAN 3, which has no ad revenue, got ad revenue")
        }
        return .ad
    }

    /// Checks a ticket, which must be below 2⁶³; 0 means none.
    @inline(__always)
    package static func checkTicket(_ ticket: UInt64) throws(Failure) {
        guard ticket <= UInt64(Int64.max) else {
            throw Failure(.invalidArgument, "ticket: expected the ticket of a request, below 2^63, got \(ticket)")
        }
    }

    /// Checks a text of at most 256 bytes of UTF-8 without control bytes. An empty one counts as absent. Error messages
    /// do not show the text, since it may be a secret.
    package static func text(
        _ text: UnsafeRawBufferPointer?, _ name: StaticString
    ) throws(Failure) -> UnsafeRawBufferPointer? {
        guard let text, !text.isEmpty else { return nil }
        guard text.count <= Limits.textBytes else {
            throw Failure(.invalidArgument, "\(name): expected at most \(Limits.textBytes) bytes, got more")
        }
        guard isPlainText(text) else {
            throw Failure(.invalidArgument, "\(name): expected UTF-8 without control bytes, got other bytes")
        }
        return text
    }

    private static func found(_ bytes: UnsafeRawBufferPointer) -> Message {
        bytes.isEmpty ? "an empty text" : "\(quoted: bytes)"
    }
}
