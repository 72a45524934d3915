import SKANCommandModels
import SKANCore

extension ModelFile {
    /// A model of windows, each written as the JSON of its rules.
    static func of(
        windows: [String], currency: String = "USD", rates: String = #"{"JPY":"0.01","USD":"1","EUR":"2"}"#
    ) throws -> ModelFile {
        let windows = windows.map { #"{"rules":[\#($0)]}"# }.joined(separator: ",")
        let head = #""schema":1,"id":"test","currency":"\#(currency)","rates":\#(rates),"raise_only":false"#
        return try Array(#"{\#(head),"windows":[\#(windows)]}"#.utf8).withUnsafeBytes {
            try ModelFile(name: "model", document: $0)
        }
    }
}

func text(_ message: Message) -> String { String(decoding: message.utf8, as: UTF8.self) }
