import SKANCommandOutput
import SKANCore
import Testing

struct CSVWriterTests {
    private func row(_ cells: [String]) -> String {
        var writer = CSVWriter()
        for cell in cells { writer.text(Message(utf8: Array(cell.utf8))) }
        return String(decoding: writer.endRow().utf8, as: UTF8.self)
    }

    @Test(arguments: [
        ("", ""), ("plain", "plain"), ("a b", "a b"), (" a", "\" a\""), ("a,b", "\"a,b\""),
        ("say \"no\"", "\"say \"\"no\"\"\""), ("two\nlines", "\"two\nlines\""),
    ])
    func aCellIsQuotedWhereItMustBe(_ cell: String, _ written: String) {
        #expect(row([cell]) == written + "\r\n")
    }

    @Test(arguments: [
        "=1+1", "+1", "-1", "@a", "\t1", "\n1", " =1", "\u{A0}=1", "\u{FEFF}@", "＝1", "＋", "－", "＠", "\u{202E}=1",
    ])
    func whatSpreadsheetsTakeForAFormulaGetsAnApostrophe(_ cell: String) {
        #expect(row([cell]) == "\"'\(cell)\"\r\n")
    }

    @Test(arguments: ["1-1", "a=1", "−1"])
    func whatIsNoFormulaStays(_ cell: String) { #expect(row([cell]) == cell + "\r\n") }

    @Test func aRowBeginsAnew() {
        var writer = CSVWriter()
        writer.text("")
        writer.plain("-1")
        #expect(writer.endRow().utf8 == Array(",-1\r\n".utf8))
        writer.text("a")
        #expect(writer.endRow().utf8 == Array("a\r\n".utf8))
    }
}
