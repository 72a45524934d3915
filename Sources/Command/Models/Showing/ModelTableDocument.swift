internal import SKANCommandOutput
internal import SKANCore

/// What `skan model table --json` gives: one document, the rules with all defaults and their words.
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
            writeMembers(ofRule: number, of: windows[window], to: &json)
            json.member("meaning", text: words(of: conditions(ofRule: number, of: window)).utf8)
            json.endObject()
        }
        json.endArray()
        let unused = UnusedValues(self, window: window)
        json.key("unused_fine")
        json.integers(unused.fine)
        json.key("unused_coarse")
        json.integers(unused.coarse)
        json.endObject()
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
