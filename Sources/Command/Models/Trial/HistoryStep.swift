import SKANCore
import SKANSystem

/// A line of a history: the action of an install, and its time.
struct HistoryStep {
    enum Action {
        case register
        case reengage(HistoryReengagement)
        case session(HistoryRevenue?)
        case event(name: [UInt8], HistoryRevenue?)
        case revenue(HistoryRevenue)
    }

    /// The line's number, from 1.
    let number: UInt64
    /// The time in Unix seconds.
    let time: Int64
    /// The time as written; nil if the line has none, so that it has the time of the line before.
    let writtenTime: Message?
    let action: Action
    /// The event id; nil if the line has none.
    let id: [UInt8]?
}

/// A tap on an ad that brought a user back into the app. Texts that the line does not have are empty.
struct HistoryReengagement {
    var tag: [UInt8] = []
    var openID: [UInt8] = []
    var reference: [UInt8] = []
}

/// A purchase, ad revenue or a refund in a history.
struct HistoryRevenue {
    /// The amount as written.
    let amount: [UInt8]
    let currency: [UInt8]
    let isAd: Bool
}

/// The reason why a line is not a valid step.
struct WrongLine: Error {
    let why: Message

    /// The maximum number of bytes of a message, which may show a text of the line.
    private static var shownBytes: Int { 511 }

    init(_ why: Message) { self.why = Message(utf8: [UInt8](why.utf8.prefix(WrongLine.shownBytes))) }
}

extension HistoryStep {
    /// Checks the name of the event, the step's id and the amount, and calls `body` with them. `event`: nil for a
    /// session.
    func withChecked<Result>(
        _ event: [UInt8]?, _ revenue: HistoryRevenue?, _ model: ConversionModel,
        _ body: (_ name: Bytes, _ id: Bytes?, _ amount: EventAmount?) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try withBytes(event) { event throws(Failure) in
            try withBytes(id) { id throws(Failure) in
                let name = try Arguments.eventName(event, isForRequest: false)
                try Arguments.checkEventID(id)
                var amount: EventAmount?
                if let revenue { amount = try eventAmount(revenue, model) }
                return try body(name, id, amount)
            }
        }
    }
}

func eventAmount(_ revenue: HistoryRevenue, _ model: ConversionModel) throws(Failure) -> EventAmount {
    EventAmount(
        amount: try revenue.amount.withBytes { text throws(Failure) in try Arguments.amount(text: text) },
        currency: try revenue.currency.withBytes { text throws(Failure) in try Arguments.currency(text) },
        kind: try Arguments.kind(revenue.isAd ? 1 : 0, model.protocolVersion))
}

/// Calls `body` with the bytes of a text, or with nil if the text is nil. The bytes of an empty text are not nil.
func withBytes<Result>(
    _ text: [UInt8]?, _ body: (Bytes?) throws(Failure) -> Result
) throws(Failure) -> Result {
    guard let text else { return try body(nil) }
    return try text.withBytes { bytes throws(Failure) in try body(bytes) }
}
