import SKANCommandOutput
import SKANCore

/// Prints the document of `skan model table --json`. It has each rule in words, and as JSON with all default values.
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
    json.object("rates") { json in
        for rate in file.rates {
            rate.currency.utf8.withUnsafeBytes { json.key(utf8: $0) }
            json.text(rate.rate)
        }
    }
    json.member("raise_only", model.raiseOnly)
    if !model.measures.isEmpty {
        json.objects("measures", model.measures.list) {
            $0.member("name", text: $1.name)
            $0.member("meaning", text: model.words(of: $1).utf8)
        }
    }
    json.objects("windows", model.windows.indices) { model.writeMembers(ofWindow: $1, to: &$0) }
    json.endObject()
    StandardOutput.line(json.finish())
}

extension ConversionModel {
    fileprivate func writeMembers(ofWindow window: Int, to json: inout JSONWriter) {
        json.member("window", Int64(window))
        json.member("registration_fine", window == 0 ? Int64(registrationFine) : nil)
        json.objects("rules", windows[window].rules.indices) { json, number in
            writeMembers(ofRule: number, of: windows[window].list, to: &json)
            json.member("meaning", text: words(of: conditions(ofRule: number, of: window)).utf8)
        }
        // Rules of window 0 that decide the coarse value separately from the fine one.
        if let list = windows[window].coarseList {
            json.objects("coarse_rules", list.rules.indices) { json, number in
                writeMembers(ofRule: number, of: list, to: &json)
                json.member("meaning", text: words(of: conditions(ofCoarseRule: number)).utf8)
            }
        }
        let unused = UnusedValues(self, window: window)
        json.key("unused_fine")
        json.integers(unused.fine)
        json.key("unused_coarse")
        json.integers(unused.coarse)
    }
}

extension JSONWriter {
    fileprivate mutating func integers(_ numbers: [Int]) {
        beginArray()
        for number in numbers { integer(Int64(number)) }
        endArray()
    }
}
