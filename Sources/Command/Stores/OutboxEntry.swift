import SKANCore
package import SKANSystem

/// An entry of the outbox as it is stored: a counted postback to report to a partner.
package struct OutboxEntry: Sendable {
    package enum State: CaseIterable, Sendable {
        /// The entry was written before its postback is counted. It is reported only if the postback is then counted.
        case prepared
        /// The entry was tried before, or a worker has taken it until it is due.
        case waiting
        /// The entry was tried as often as allowed. It stays until someone has it tried again.
        case dead

        package var name: StaticString {
            switch self {
            case .prepared: "prepared"
            case .waiting: "waiting"
            case .dead: "dead"
            }
        }
    }

    package var state: State
    /// The number of attempts that were started.
    package var attempts: Int64
    /// Microseconds since 1970.
    package var created: Int64
    /// The earliest time at which a worker may take the entry, in microseconds since 1970.
    package var due: Int64
    /// The pause in microseconds that the partner asked for in Retry-After after the last attempt; 0 for no pause.
    package var asked: Int64
    /// The reason why the last attempt failed; empty if none failed.
    package var reason: [UInt8]

    package init(_ state: State, attempts: Int64, created: Int64, due: Int64, asked: Int64 = 0, reason: [UInt8] = []) {
        self.state = state
        self.attempts = attempts
        self.created = created
        self.due = due
        self.asked = asked
        self.reason = reason
    }

    /// The maximum size of an entry's record in bytes.
    package static var mostBytes: Int { 1024 }

    /// The record ends with a seal over the key and all other JSON members.
    package func record(under key: [UInt8]) -> [UInt8] {
        let reason = Message(utf8: OutboxEntry.plain(reason))
        let text: Message = """
            {"outbox":1,"state":"\(state.name)","attempts":\(attempts),"created":\(created),\
            "due":\(due),"asked":\(asked),"reason":"\(reason)"
            """
        return text.utf8 + OutboxSeal.text(of: text.utf8, under: key)
    }

    /// Returns the first 255 bytes of a reason, which is a message of libcurl. A character outside ASCII, or one that
    /// JSON would have to escape, becomes a space or an apostrophe.
    fileprivate static func plain(_ reason: some Sequence<UInt8>) -> [UInt8] {
        reason.prefix(255).map { letter in
            switch letter {
            case UInt8(ascii: "\""): UInt8(ascii: "'")
            case UInt8(ascii: "\\"): UInt8(ascii: " ")
            case 0x20...0x7E: letter
            default: UInt8(ascii: " ")
            }
        }
    }
}

// MARK: Reading

extension OutboxEntry {
    /// Reads a record; nil if it is not an entry of this key. It must have exactly the known members and a matching
    /// seal.
    package init?(_ record: Bytes, under key: Bytes) {
        guard record.count <= OutboxEntry.mostBytes, OutboxSeal.fits(record, under: key) else { return nil }
        do throws(JSONFault) {
            self.init(members: try JSONDocument(record).members)
        } catch {
            return nil
        }
    }

    private init?(members: [JSONMember]) {
        var form, attempts, created, due, asked: Int64?
        var state: State?
        var reason: [UInt8]?
        for member in members {
            let (key, value) = (member.key, member.value)
            if key.isEqual("outbox") {
                form = number(value)
            } else if key.isEqual("state") {
                state = State.allCases.first { value.string?.isEqual($0.name) ?? false }
            } else if key.isEqual("attempts") {
                attempts = number(value)
            } else if key.isEqual("created") {
                created = number(value)
            } else if key.isEqual("due") {
                due = number(value)
            } else if key.isEqual("asked") {
                asked = number(value)
            } else if key.isEqual("reason") {
                reason = value.string.map { OutboxEntry.plain($0.utf8) }
            } else if key.isEqual("seal") {
                continue
            } else {
                return nil
            }
        }
        guard form == 1, let state, let attempts, let created, let due, let asked, let reason else { return nil }
        self.init(state, attempts: attempts, created: created, due: due, asked: asked, reason: reason)
    }
}

private func number(_ value: JSONValue) -> Int64? {
    value.kind == .number ? wholeNumber(ofDigits: value.text) : nil
}
