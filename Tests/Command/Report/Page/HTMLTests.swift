import SKANCore
import Testing

@testable import SKANCommandReport
@testable import SKANCommandRows
@testable import SKANTruth

extension HTML {
    var text: String { String(decoding: utf8, as: UTF8.self) }
}

/// What is put into a page is text, whatever it says.
struct HTMLTests {
    private func escaped(_ text: String) -> String { HTML("\([UInt8](text.utf8))").text }

    @Test func piecesStayAsTheyAre() {
        let name: Message = "<i>"
        let piece: HTML = "<b>\(name)</b>"
        #expect(HTML("<p>\(piece)</p>").text == "<p><b>&lt;i&gt;</b></p>")
    }

    @Test func textIsEscapedWhateverItsType() {
        let message: Message = "<&>"
        let own: StaticString = "\"'"
        #expect(HTML("\(message)\(own)\([UInt8]("<".utf8))").text == "&lt;&amp;&gt;&quot;&#39;&lt;")
    }

    @Test func anAttributeIsNotLeft() {
        let title: Message = "\" onload='x'><script>"
        #expect(HTML("<div title=\"\(title)\">").text == "<div title=\"&quot; onload=&#39;x&#39;&gt;&lt;script&gt;\">")
    }

    @Test func lettersOfAllLanguagesStay() {
        for text in ["", "Näme", "日本", "🇩🇪", "a\u{AD}b"] { #expect(escaped(text) == text) }
    }

    @Test(arguments: ["\u{0}", "\n", "\u{1B}", "\u{7F}", "\u{9B}", "\u{200F}", "\u{202E}", "\u{2066}"])
    func marksOfControlAndDirectionAreReplaced(mark: String) {
        #expect(escaped("a\(mark)b") == "a\u{FFFD}b")
    }

    @Test func eachByteThatIsNoUTF8IsReplaced() {
        let bytes: [UInt8] = [0x61, 0xFF, 0xE2, 0x82, 0x62, 0xC3]
        #expect(HTML("\(bytes)").text == "a\u{FFFD}\u{FFFD}\u{FFFD}b\u{FFFD}")
    }

    @Test func numbersHaveTheirPlaces() {
        let numbers: HTML = "\(UInt64.max) \(-3) \(66.66666, places: 3) \(0.25, places: 1)"
        #expect(numbers.text == "18446744073709551615 -3 66.667 0.2")
    }

    @Test func aDashIsWhatThereIsNot() {
        let table = PageTable(rowHead: "Line", caption: "", columns: [PageColumn(name: "A"), PageColumn(name: "B")])
        #expect(
            table.row("<b>x</b>", [PageCell(nil), PageCell("0", below: "<1>", order: 0.5)]).text == """
                <tr><th scope="row"><b>x</b></th><td data-l="A"><span>–</span></td>\
                <td data-l="B" data-v="0.5000"><span>0<small>&lt;1&gt;</small></span></td></tr>

                """)
    }
}
