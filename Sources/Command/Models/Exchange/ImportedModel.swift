import SKANCommandOutput
import SKANCore

/// A model made from a vendor's document. Uncertain interpretations are noted, and parts that a model cannot express
/// are refused.
struct ImportedModel {
    var model: WrittenModel
    let map: EventMap
    private(set) var notes: [Message] = []
    private var known: Set<[UInt8]> = []
    private(set) var refusals: [Message] = []
    /// The version of the model from which the rows were exported; nil if the document does not name it.
    var formerVersion: [UInt8]?

    init(_ request: ImportRequest) {
        map = request.map
        let window = WrittenWindow()
        model = WrittenModel(id: request.id, windows: [window, window, window])
        if let currency = request.currency { model.currency = currency }
    }

    /// Does nothing if there is a note with the same text.
    mutating func note(_ what: Message) {
        if known.insert(what.utf8).inserted { notes.append(what) }
    }

    /// Takes the currency that the document names, in upper case. Throws if `--currency` names another one, because the
    /// document's amounts are in its own currency.
    mutating func readCurrency(_ named: [UInt8]?, _ request: ImportRequest) throws(CommandEnd) {
        guard let named else { return }
        let code = currencyCode(named)
        if let other = request.currency, currencyCode(other) != code {
            let (own, got) = (Message(utf8: code), Message(utf8: other))
            throw .complaint("--currency", "the schema says \(own): expected no other currency, got \(got)")
        }
        model.currency = code
    }

    mutating func refuse(_ place: Message, _ why: Message) { refusals.append("\(place): \(why)") }

    /// Returns our name of a vendor's event; nil, after refusing the event, if a model cannot have such a name.
    mutating func event(_ theirs: [UInt8], _ place: Message) -> [UInt8]? {
        let ours = map.ours(theirs)
        if ours.withUnsafeBytes({ EventName($0) }) != nil { return ours }
        let name = ours.withUnsafeBytes { Message(writing: $0.writeQuoted) }
        refuse(place, "the event \(name) needs a name of 1 to 64 bytes of UTF-8 without control characters: give --map")
        return nil
    }

    /// Adds the measure that the condition uses, if the measure is new.
    mutating func sum(
        of event: [UInt8], _ range: WrittenRange<Money>, isLifetime: Bool
    ) -> WrittenMeasureRange {
        let sum = WrittenMeasure(name: event, counting: .sum, events: [event], isLifetime: isLifetime)
        return WrittenMeasureRange(measure: model.measures.add(sum), range: range)
    }

    /// Returns the condition that an event has occurred since the install, and adds the measure that the condition
    /// uses.
    mutating func everCame(_ event: [UInt8]) -> WrittenMeasureRange {
        let count = WrittenMeasure(name: event, counting: .count, events: [event], isLifetime: true)
        return WrittenMeasureRange(
            measure: model.measures.add(count), range: WrittenRange(min: Money(units: Money.scale)))
    }

    /// Sorts the rules of each window by value, because the last rule that holds wins. Rules of the same value keep
    /// their order.
    mutating func sortRules() {
        for window in model.windows.indices {
            model.windows[window].rules.sortByValue()
            model.windows[window].coarseRules?.sortByValue()
        }
    }
}

extension [WrittenRule] {
    fileprivate mutating func sortByValue() {
        func value(_ rule: WrittenRule) -> Int { rule.fine ?? rule.coarse ?? 0 }
        self = enumerated().sorted {
            (value($0.element), $0.offset) < (value($1.element), $1.offset)
        }.map { $0.element }
    }
}

extension UnsafeRawBufferPointer {
    fileprivate func writeQuoted(to text: inout ByteBuffer) {
        text.append(UInt8(ascii: "\""))
        for byte in prefix(64) { text.append(byte < 0x20 || byte == 0x7F ? UInt8(ascii: "?") : byte) }
        text.append(UInt8(ascii: "\""))
    }
}

/// Returns a currency's code in upper case. An invalid code stays as it is, and the model's check refuses it.
func currencyCode(_ text: [UInt8]) -> [UInt8] {
    text.withUnsafeBytes { Currency($0) }.map { Message(writing: $0.write).utf8 } ?? text
}

/// Returns the smallest amount above this one, to express "more than".
func justAbove(_ amount: Money) -> Money { Money(units: amount.units + 1) }
