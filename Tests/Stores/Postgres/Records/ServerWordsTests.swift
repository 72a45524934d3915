import SKANCore
import Testing

@testable import SKANPostgresRecords

/// What the server and libpq say, and what it means.
struct ServerWordsTests {
    private func line(_ words: String, hiding password: String = "", room: Int = 699) -> String {
        String(decoding: singleLine(words.utf8, hiding: Array(password.utf8), room: room).utf8, as: UTF8.self)
    }

    @Test(arguments: [
        ("connection refused\n\tIs it running?\n", "connection refused Is it running?"),
        ("  \n", ""),
        ("one\r\n\n\ntwo", "one two"),
        ("bell\u{7}", "bell?"),
        ("Stra\u{DF}e \u{20AC} \u{1F600}", "Stra\u{DF}e \u{20AC} \u{1F600}"),
        ("", ""),
    ])
    func wordsBecomeOneLine(_ words: String, _ expected: String) {
        #expect(line(words) == expected)
    }

    @Test
    func whatIsNoUTF8IsMarked() {
        let words: [UInt8] = [0x61, 0xFF, 0x62, 0xC3, 0x28, 0xED, 0xA0, 0x80, 0xE2, 0x82]
        #expect(singleLine(words, hiding: [], room: 699).utf8 == Array("a?b?(?????".utf8))
    }

    @Test
    func thePasswordIsHidden() {
        #expect(line("role \"s3cr3t\" is s3cr3ts3cr3t", hiding: "s3cr3t") == "role \"***\" is ******")
        #expect(line("s3cr3", hiding: "s3cr3t") == "s3cr3")
        // One that is so short stands in ordinary words.
        #expect(line("no such role", hiding: "no") == "no such role")
    }

    @Test
    func aLongLineIsCutBetweenCharacters() {
        #expect(line(String(repeating: "x", count: 1000), room: 20).utf8.count == 17)
        #expect(line(String(repeating: "\u{20AC}", count: 1000), room: 20) == String(repeating: "\u{20AC}", count: 6))
    }

    /// What states of errors mean is shown by Tests/Trouble/Stores/postgres.c, on a server.
    @Test
    func aStateWithoutAnErrorTellsNothing() {
        for code in ["23514", "40001"] {
            #expect(ServerState(Array(code.utf8)).meaning(isError: false) == .unknown, "\(code)")
        }
    }

    @Test
    func someErrorsLeaveTheSession() {
        for code in ["40001", "40P01", "53100", "55P03", "57014"] {
            #expect(ServerState(Array(code.utf8)).leavesSession, "\(code)")
        }
        for code in ["42P01", "57P01", "25006", "42501", ""] {
            #expect(!ServerState(Array(code.utf8)).leavesSession, "\(code)")
        }
    }

    @Test
    func onlyWhatWasSentMayHaveBeenDone() {
        func trouble(_ kind: ServerTrouble.Kind) -> ServerTrouble { ServerTrouble(kind: kind, message: "words") }
        #expect(trouble(.refused).isHarmless && trouble(.again).isHarmless && trouble(.unreached).isHarmless)
        #expect(!trouble(.unknown).isHarmless && !trouble(.late).isHarmless)
        #expect(trouble(.unknown).beforehand.kind == .unreached)
        #expect(trouble(.late).beforehand.kind == .unreached)
        #expect(trouble(.again).beforehand.kind == .again)
    }
}
