import CSKANSystem
import SKANCommandOutput
import Testing

struct FileLinesTests {
    private func lines(_ text: [UInt8]) -> [String] {
        var text = text
        guard let file = fmemopen(&text, text.count, "r") else { return ["no file"] }
        defer { fclose(file) }
        let lines = FileLines(file)
        var found: [String] = []
        while true {
            switch lines.next() {
            case .whole(let bytes): found.append("\(lines.number) \(String(decoding: bytes, as: UTF8.self))")
            case .tooLong: found.append("\(lines.number) too long")
            case .over: return found + ["\(lines.bytes) bytes"]
            case .failed: return found + ["failed"]
            }
        }
    }

    @Test func aLineEndsWithALineFeedOrTheFile() {
        #expect(lines(Array("a\n\nb\r".utf8)) == ["1 a", "2 ", "3 b\r", "5 bytes"])
        #expect(lines(Array("\0a\n".utf8)) == ["1 \0a", "3 bytes"])
    }

    @Test func aLongLineIsLeftOut() {
        let longest = [UInt8](repeating: 0x61, count: FileLines.greatestLength)
        #expect(lines(longest + [0x61, 0x0A, 0x62]) == ["1 too long", "2 b", "\(longest.count + 3) bytes"])
        #expect(lines(longest + [0x0A]).count == 2)
    }
}
