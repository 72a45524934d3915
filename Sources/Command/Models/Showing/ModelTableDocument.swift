import SKANCommandOutput
import SKANCore

/// Prints the document of `skan model table --json`: the rules with all defaults and in words.
@export(interface)
package func printModelDocument(_ file: ModelFile) {
    let model = file.model
    var json = JSONWriter(capacity: 16_384)
    json.beginObject()
    json.key("model")
    json.string(letters: model.version.write)
    json.member("id", text: model.id)
    json.member("protocol", Int64(model.protocolVersion.rawValue))
    json.key("currency")
    json.currency(model.currency)
    json.key("rates")
    json.beginObject()
    for rate in file.rates {
        rate.currency.utf8.withUnsafeBytes { json.key(utf8: $0) }
        json.text(rate.rate)
    }
    json.endObject()
    json.member("raise_only", model.raiseOnly)
    if !model.measures.isEmpty {
        json.key("measures")
        json.beginArray()
        for measure in model.measures.list {
            json.beginObject()
            json.member("name", text: measure.name)
            json.member("meaning", text: model.words(of: measure).utf8)
            json.endObject()
        }
        json.endArray()
    }
    json.key("windows")
    json.beginArray()
    for window in model.windows.indices { model.write(window: window, to: &json) }
    json.endArray()
    json.endObject()
    StandardOutput.line(json.finish())
}

extension ConversionModel {
    fileprivate func write(window: Int, to json: inout JSONWriter) {
        json.beginObject()
        json.member("window", Int64(window))
        json.member("registration_fine", window == 0 ? Int64(registrationFine) : nil)
        json.key("rules")
        json.beginArray()
        for number in windows[window].rules.indices {
            json.beginObject()
            writeMembers(ofRule: number, of: windows[window].list, to: &json)
            json.member("meaning", text: words(of: conditions(ofRule: number, of: window)).utf8)
            json.endObject()
        }
        json.endArray()
        if let list = windows[window].coarseList { write(list, to: &json) }
        let unused = UnusedValues(self, window: window)
        json.key("unused_fine")
        json.integers(unused.fine)
        json.key("unused_coarse")
        json.integers(unused.coarse)
        json.endObject()
    }
}

extension ConversionModel {
    /// Writes the rules of window 0 that decide the coarse value separately from the fine one.
    private func write(_ list: RuleList, to json: inout JSONWriter) {
        json.key("coarse_rules")
        json.beginArray()
        for number in list.rules.indices {
            json.beginObject()
            writeMembers(ofRule: number, of: list, to: &json)
            json.member("meaning", text: words(of: conditions(ofCoarseRule: number)).utf8)
            json.endObject()
        }
        json.endArray()
    }
}

extension JSONWriter {
    fileprivate mutating func integers(_ numbers: [Int]) {
        beginArray()
        for number in numbers { integer(Int64(number)) }
        endArray()
    }

    mutating func text(_ text: Message) { text.utf8.withUnsafeBytes { string(utf8: $0) } }
}
