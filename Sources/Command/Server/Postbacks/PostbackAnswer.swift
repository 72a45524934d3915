import SKANCore
import SKANSystem

struct PostbackAnswer {
    /// The HTTP status of the answer if the postback came alone.
    let status: UInt32
    let outcome: StaticString

    init(_ status: UInt32, _ outcome: StaticString) {
        self.status = status
        self.outcome = outcome
    }

    /// The weight of the status in the answer to a list. Postbacks that have to be sent again weigh most, then those
    /// that can never be accepted.
    fileprivate var weight: Int {
        switch status {
        case 500...: 3
        case 429: 2
        case 200: 0
        default: 1
        }
    }
}

extension HTTPServerAnswer {
    init(_ status: UInt32, postback outcome: StaticString) {
        let body: Message = "{\"outcome\":\"\(outcome)\"}\n"
        self.init(status, "application/json", body.utf8, outcome: outcome)
    }

    /// Rules, "Receiving postbacks": makes the answer to a list. Its status is 200 only if every postback's status is
    /// 200.
    init(listing ends: [PostbackAnswer]) {
        var json = JSONWriter(capacity: 32 * ends.count + 16)
        json.beginArray()
        for end in ends {
            json.beginObject()
            json.key("outcome")
            json.string(end.outcome)
            json.endObject()
        }
        json.endArray()
        let decisive = ends.max { $0.weight < $1.weight }
        let status = decisive?.status ?? 200
        self.init(
            status, "application/json", json.finish().array + [UInt8(ascii: "\n")],
            outcome: status == 200 ? "list" : decisive?.outcome ?? "list")
    }
}
