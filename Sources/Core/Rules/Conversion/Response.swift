/// Rules, "Apply response", steps 1 to 3: the meaning of an endpoint's answer, before any install is looked at.
package enum Response: Equatable {
    /// A conversion value, a coarse value in a window after the first, or both.
    case value(ResponseValue)
    /// An empty answer, or one that is "ok" without a value.
    case noValue
}

package struct ResponseValue: Equatable, Sendable {
    package var fine: UInt8?
    package var coarse: UInt8?
    package var locksWindow: Bool
    /// The window that the answer names; nil if it names none.
    package var window: UInt8?
}

extension Response {
    /// Reads an answer. Throws LIMIT_EXCEEDED, MALFORMED_RESPONSE, ILLEGAL_VALUE, or REJECTED with the server's reason,
    /// or with a message that the server gave no reason.
    package init(_ body: UnsafeRawBufferPointer, _ protocolVersion: ProtocolVersion) throws(Failure) {
        guard body.count <= Limits.responseBytes else {
            throw Failure(.limitExceeded, "response: \(body.count) bytes, the limit is \(Limits.responseBytes)")
        }
        if body.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }) {
            self = .noValue
            return
        }
        let members: ResponseMembers
        do throws(JSONFault) {
            members = ResponseMembers(try JSONDocument(body))
        } catch {
            throw Failure(.malformedResponse, "response: \(error.description), in \(quoted: body)")
        }

        switch protocolVersion {
        case .skan4: try self.init(skan4: members)
        case .skan3: try self.init(skan3: members)
        }
    }

    private init(skan4 members: ResponseMembers) throws(Failure) {
        let value = ResponseValue(
            fine: try number(members.conversionValue, "conversion_value", max: 63),
            coarse: try number(members.coarse, "skan_updated_coarse_value", max: 2),
            locksWindow: try flag(members.lock, "skan_updated_lock_window_value"),
            window: try number(members.window, "postback_sequence_index", max: Int64(Window.last.rawValue)))
        if value.fine == nil {
            try members.requireOK()
            guard value.coarse != nil else {
                self = .noValue
                return
            }
        }
        self = .value(value)
    }

    /// Rules, "SKAN 3 values": reads an answer of SKAN 3. The published test endpoint answers with an empty text for
    /// "no value".
    private init(skan3 members: ResponseMembers) throws(Failure) {
        if let value = members.conversionValue, value.kind == .string, value.text.count == 2 {
            self = .noValue
        } else if let fine = try number(members.conversionValue, "conversion_value", max: 63) {
            self = .value(ResponseValue(fine: fine, coarse: nil, locksWindow: false, window: nil))
        } else {
            try members.requireOK()
            self = .noValue
        }
    }
}

private struct ResponseMembers {
    var conversionValue: JSONValue?
    var coarse: JSONValue?
    var lock: JSONValue?
    var window: JSONValue?
    var status: JSONValue?
    var reason: JSONValue?

    init(_ answer: JSONDocument) {
        for member in answer.members {
            let key = member.key
            if key.isEqual("conversion_value") {
                conversionValue = member.value
            } else if key.isEqual("skan_updated_coarse_value") {
                coarse = member.value
            } else if key.isEqual("skan_updated_lock_window_value") {
                lock = member.value
            } else if key.isEqual("postback_sequence_index") {
                window = member.value
            } else if key.isEqual("status") {
                status = member.value
            } else if key.isEqual("reason") {
                reason = member.value
            }
        }
    }

    /// Throws REJECTED unless the status is "ok". This is for an answer without a conversion value.
    func requireOK() throws(Failure) {
        let status = try text(self.status, "status")
        let reason = try text(self.reason, "reason")
        if let status, status.isEqual("ok") { return }
        if let reason = reason?.utf8, !reason.isEmpty {
            let rejected = RejectedParameter(reason: reason)
            throw Failure(.rejected, rejected.map { $0.message("\($0.option)") } ?? Message(utf8: reason))
        }
        throw Failure(
            .rejected,
            """
            response: the answer has neither a value nor a reason: without a conversion_value the status must be "ok", \
            got \(quoted(status))
            """)
    }

    private func quoted(_ status: JSONString?) -> Message {
        guard let status else { return "none" }
        return status.utf8.withUnsafeBytes { "\(quoted: $0)" }
    }
}

private func number(_ value: JSONValue?, _ name: StaticString, max: Int64) throws(Failure) -> UInt8? {
    guard let value, value.kind != .null else { return nil }
    guard value.kind == .number, let number = DecimalNumber(value.text)?.integer, number >= 0, number <= max else {
        throw illegal(value, name, "a whole number from 0 to \(max)")
    }
    return UInt8(truncatingIfNeeded: number)
}

private func flag(_ value: JSONValue?, _ name: StaticString) throws(Failure) -> Bool {
    guard let value else { return false }
    switch value.kind {
    case .null, .false: return false
    case .true: return true
    default: break
    }
    guard value.kind == .number, let number = DecimalNumber(value.text)?.integer, number == 0 || number == 1 else {
        throw illegal(value, name, "true, false, 0 or 1")
    }
    return number == 1
}

private func text(_ value: JSONValue?, _ name: StaticString) throws(Failure) -> JSONString? {
    guard let value, value.kind != .null else { return nil }
    guard let string = value.string else { throw illegal(value, name, "text or null") }
    return string
}

private func illegal(_ value: JSONValue, _ name: StaticString, _ expected: Message) -> Failure {
    Failure(.illegalValue, "response: \(name) is \(value.kind.description) \(quoted: value.text), expected \(expected)")
}
