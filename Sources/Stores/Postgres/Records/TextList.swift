internal import SKANSystem

/// A list of texts in C's form: each text ends with a NUL, the list with a NULL.
struct TextList {
    private var characters: [CChar] = []
    private var starts: [Int] = []

    mutating func append(_ text: some Sequence<UInt8>) {
        starts.append(characters.count)
        for byte in text { characters.append(CChar(bitPattern: byte)) }
        characters.append(0)
    }

    func withPointers<Result>(_ body: (UnsafePointer<UnsafePointer<CChar>?>?) -> Result) -> Result {
        characters.withUnsafeBufferPointer { characters in
            var pointers: [UnsafePointer<CChar>?] = starts.map { start in characters.baseAddress.map { $0 + start } }
            pointers.append(nil)
            return pointers.withUnsafeBufferPointer { body($0.baseAddress) }
        }
    }
}

extension CText {
    /// The text without the NUL.
    var utf8: [UInt8] { characters.dropLast().map { UInt8(bitPattern: $0) } }
}
