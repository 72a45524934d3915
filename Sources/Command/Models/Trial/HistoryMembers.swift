import SKANCore
import SKANSystem

/// The keys that a line of a history may have.
enum HistoryKey: Int {
    case register, reengage, event, session, revenue, time, currency, ad, id

    static var count: Int { id.rawValue + 1 }
    /// The actions; a line must have one of them.
    static let actions: [HistoryKey] = [.register, .reengage, .event, .session, .revenue]

    var name: StaticString {
        switch self {
        case .register: "register"
        case .reengage: "reengage"
        case .event: "event"
        case .session: "session"
        case .revenue: "revenue"
        case .time: "time"
        case .currency: "currency"
        case .ad: "ad"
        case .id: "id"
        }
    }
}

struct HistoryValue {
    let kind: JSONKind
    /// The contents of a string; for other types, the value as written.
    let text: [UInt8]

    var message: Message { Message(utf8: text) }
}

/// The members of a line. A null counts as absent.
struct HistoryMembers {
    private var values = [HistoryValue?](repeating: nil, count: HistoryKey.count)

    subscript(key: HistoryKey) -> HistoryValue? { values[key.rawValue] }

    init(_ line: Bytes) throws(WrongLine) {
        guard line.count <= Limits.responseBytes else {
            throw WrongLine("json: \(line.count) bytes, the limit is \(Limits.responseBytes)")
        }
        let document: JSONDocument
        do throws(JSONFault) {
            document = try JSONDocument(line)
        } catch {
            throw WrongLine(error.description)
        }
        for member in document.members { try keep(member) }
    }

    private mutating func keep(_ member: JSONMember) throws(WrongLine) {
        for number in 0..<HistoryKey.count {
            guard let key = HistoryKey(rawValue: number), member.key.isEqual(key.name) else { continue }
            if member.value.kind == .null { return }
            let text = member.value.string?.withExactUTF8 { [UInt8]($0) } ?? [UInt8](member.value.text)
            values[number] = HistoryValue(kind: member.value.kind, text: text)
            return
        }
        let key = Message(utf8: member.key.withExactUTF8 { [UInt8]($0) })
        throw WrongLine(
            """
            unknown key \"\(key)\"; known here: time register reengage event session revenue currency ad id
            """)
    }

    // MARK: Members of one sort

    /// nil if the key is absent.
    func text(_ key: HistoryKey) throws(WrongLine) -> [UInt8]? {
        guard let value = self[key] else { return nil }
        guard value.kind == .string else { throw expected("text", key) }
        guard !value.text.contains(0) else { throw WrongLine("\(key.name): expected text without NUL") }
        return value.text
    }

    func requireTrue(_ key: HistoryKey) throws(WrongLine) {
        guard self[key]?.kind == .true else { throw expected("true", key) }
    }

    /// false if the key is absent.
    func boolean(_ key: HistoryKey) throws(WrongLine) -> Bool {
        guard let value = self[key] else { return false }
        guard value.kind == .true || value.kind == .false else { throw expected("true or false", key) }
        return value.kind == .true
    }

    /// Returns an error that shows what was expected, and the beginning of the value.
    func expected(_ what: StaticString, _ key: HistoryKey) -> WrongLine {
        guard let value = self[key] else { return WrongLine("\(key.name): expected \(what)") }
        let quote: StaticString = value.kind == .string ? "\"" : ""
        let shown = value.text.prefix { $0 != 0 }
        let cut: StaticString = shown.count > 64 ? "..." : ""
        return WrongLine(
            "\(key.name): expected \(what), got \(quote)\(Message(utf8: [UInt8](shown.prefix(64))))\(quote)\(cut)")
    }
}
