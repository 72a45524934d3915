package import SKANCommandOutput
package import SKANCommandStores
import SKANCommandRows
import SKANCore
import SKANPostbackReceiving
import SKANPostbackVerification
import SKANSystem

/// Lists the refused postbacks of a store in the order of their arrival.
package struct RefusedList {
    package var filter = RefusedFilter()
    /// Whether each postback is printed as a line of JSON, instead of a line of a table.
    package var isJSON = false

    package init() {}

    @export(interface)
    package func print(_ store: OpenStore) throws(CommandEnd) -> ExitCode {
        let keys: PostbackKeySet
        do throws(Failure) { keys = try .apple() } catch { throw .complaint("refused", error.message) }
        var order = try RefusedOrder(store, filter)
        var counts = RefusedSums()
        if !isJSON, order.count > 0 { StandardOutput.line(RefusedLine.head) }
        order.visit(store) { postbacks in
            for refused in postbacks {
                counts.add(refused.reason, isCut: refused.isCut)
                if isJSON {
                    StandardOutput.line(refused.json(keys))
                } else {
                    StandardOutput.line(RefusedLine(refused, keys).text)
                }
            }
            return true
        }
        if !isJSON { StandardOutput.line(counts.sum("refused postback\(plural(counts.all))")) }
        guard order.count == 0, order.damaged == 0 else { return order.damaged == 0 ? .fine : .found }
        return try isOfReceiver(store) ? .fine : .found
    }

    /// Whether a store without refused postbacks is empty, or has other records of a receiver. Otherwise a message says
    /// what the store has.
    private func isOfReceiver(_ store: OpenStore) throws(CommandEnd) -> Bool {
        let found = try RecordCounts.all(of: store)
        return found[.postback] + found[.refused] + found[.outbox] > 0
            || found.tellOthers(in: store.name, own: "postbacks", count: 0)
    }
}

/// The numbers of refused postbacks by reason, for a message.
struct RefusedSums {
    private var counts = RefusedCounts()
    private var cut: UInt64 = 0

    mutating func add(_ reason: RefusedReason, isCut: Bool) {
        counts[reason] += 1
        if isCut { cut += 1 }
    }

    var all: UInt64 { counts.sum }

    /// Returns a message such as "5 refused postbacks: 3 of another app, 2 invalid; of 1 only 2048 bytes are kept".
    func sum(_ what: Message) -> Message {
        var line: Message = "\(all) \(what)"
        var separator: StaticString = ": "
        for reason in RefusedReason.allCases where counts[reason] > 0 {
            line = "\(line)\(separator)\(counts[reason]) \(reason.words)"
            separator = ", "
        }
        guard cut > 0 else { return line }
        let kept = RefusedSort.malformed.bodyBytes
        return "\(line); of \(cut) only \(kept) bytes are kept, so they cannot be judged again"
    }
}

private struct RefusedLine {
    let text: Message

    static var head: Message { line("ARRIVED", "REASON", "APP", "AD NETWORK", "KEY", "") }

    init(_ refused: RefusedPostback, _ keys: PostbackKeySet) {
        let app: Message = refused.postback.namedApp.map { "\($0)" } ?? "-"
        let network = refused.postback.namedAdNetwork ?? refused.record.network
        let why: Message = refused.isCut ? "cut to \(refused.body.count) bytes" : refused.problem(keys) ?? ""
        text = RefusedLine.line(
            utcTime(refused.record.received / 1_000_000), "\(refused.reason.name)", app,
            network.isEmpty ? "-" : network.withUnsafeBytes { escapedForTerminal($0) }, Message(utf8: refused.key), why)
    }

    private static func line(
        _ arrived: Message, _ reason: Message, _ app: Message, _ network: Message, _ key: Message, _ why: Message
    ) -> Message {
        let columns: Message =
            "\(padded(arrived, to: 20))  \(padded(reason, to: 13))  \(padded(app, to: 10))  \(padded(network, to: 26))"
        return why.utf8.isEmpty ? "\(columns)  \(key)" : "\(columns)  \(key)  \(why)"
    }
}

extension RefusedPostback {
    fileprivate func json(_ keys: PostbackKeySet) -> ByteBuffer {
        var json = JSONWriter(capacity: 1024)
        json.beginObject()
        json.member("key", text: key)
        json.member("received", text: utcTime(record.received / 1_000_000).utf8)
        json.member("reason", text: [UInt8](reason.name.bytes))
        json.member("sender", text: record.network.isEmpty ? nil : record.network)
        json.member("framework", text: [UInt8](postback.framework.name.bytes))
        json.member("version", text: postback.version.map { [UInt8]($0.prefix { $0 != 0 }) })
        json.member("ad_network_id", text: postback.namedAdNetwork)
        json.member("app_id", postback.namedApp)
        json.member("transaction_id", text: postback.textUntilNUL(.transactionID))
        json.member("problem", text: problem(keys)?.utf8)
        json.member("is_cut", isCut)
        json.member("body", text: bodyText)
        json.endObject()
        return json.finish()
    }

    /// The body as text. If it is not UTF-8, invalid bytes and control characters are written as \xNN.
    private var bodyText: [UInt8] {
        let bytes = Bytes(body)
        var place = 0
        while place < bytes.count {
            guard let scalar = nextScalar(bytes, at: place) else { return escapedForTerminal(bytes).utf8 }
            place += scalar.length
        }
        return [UInt8](bytes)
    }
}
