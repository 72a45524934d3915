package import SKANCommandOutput
package import SKANCore
import SKANSystem

package struct RecordCounts: Sendable {
    private var counts = InlineArray<5, UInt64>(repeating: 0)

    package init() {}

    package subscript(kind: RecordKind) -> UInt64 {
        get { counts[kind.rawValue] }
        set { counts[kind.rawValue] = newValue }
    }

    package mutating func count(_ kind: RecordKind) { self[kind] += 1 }

    package var sum: UInt64 { RecordKind.allCases.reduce(0) { $0 + self[$1] } }

    /// A list such as "5 installs, 3 postbacks and 1 outbox entry"; "0 installs" if there are no records.
    package var words: Message {
        let there = RecordKind.allCases.filter { self[$0] > 0 }
        if there.isEmpty { return "0 installs" }
        var words: Message = ""
        for (told, kind) in there.enumerated() {
            let before: StaticString = told == 0 ? "" : told + 1 == there.count ? " and " : ", "
            words = "\(words)\(before)\(self[kind]) \(kind.noun(of: self[kind]))"
        }
        return words
    }

    /// Reports the records of other kinds, which a subcommand left alone. If it found none of its own kind (`count` is
    /// 0; `own` names the kind, such as "installs"), says which subcommands are for the records found, and returns
    /// false. Models are not reported, because they belong to installs.
    package func tellOthers(in store: Message, own: StaticString, count: UInt64) -> Bool {
        if self[.model] > 0 {
            var others = self
            others[.model] = 0
            return others.tellOthers(in: store, own: own, count: count)
        }
        if sum == 0 { return true }
        guard count == 0 else {
            complain(store, "left alone: \(words)")
            return true
        }
        complain(
            store,
            "expected \(own), found \(words): \(advice), skan move and check take records of every kind")
        return false
    }

    /// The advice for the kinds of records found, each subcommand named once.
    private var advice: Message {
        var advice: [StaticString] = []
        if self[.install] > 0 { advice.append(RecordKind.install.advice) }
        if self[.postback] > 0 || self[.refused] > 0 { advice.append(RecordKind.postback.advice) }
        if self[.outbox] > 0 { advice.append(RecordKind.outbox.advice) }
        var text: Message = ""
        for (told, next) in advice.prefix(2).enumerated() { text = told == 0 ? "\(next)" : "\(text), \(next)" }
        return text
    }
}

extension RecordCounts {
    /// Counts all records of a store, for a command that found none of its own kind. Throws if some records could not
    /// be read, after reporting them.
    package static func all(of store: OpenStore) throws(CommandEnd) -> RecordCounts {
        var counts = RecordCounts()
        let walk = StoreWalk(store, printsData: false) { key, record, _ in
            counts.count(RecordKind(of: record, under: key))
        }
        guard walk.isComplete else { throw .done(.found) }
        return counts
    }
}
