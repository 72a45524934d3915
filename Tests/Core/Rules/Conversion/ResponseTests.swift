import SKANCore
import Testing

/// Rules, "Apply response", steps 1 to 3: what an answer says. The lives of Tests/Vectors judge the statuses of many
/// answers. These tests alone take each number in each spelling under each name, and a carriage return in an empty
/// answer, and judge that the size is looked at before the text, which member a message names, and the reason of a
/// rejection.
struct ResponseTests {
    /// An answer's content, as these tests expect it.
    private enum Answer: Equatable {
        case noValue
        case value(Int?, coarse: Int? = nil, locks: Bool = false, window: Int? = nil)

        init(_ response: Response) {
            switch response {
            case .noValue: self = .noValue
            case .value(let value):
                self = .value(
                    value.fine.map(Int.init), coarse: value.coarse.map(Int.init), locks: value.locksWindow,
                    window: value.window.map(Int.init))
            }
        }
    }

    private func read(_ body: String, _ protocolVersion: ProtocolVersion = .skan4) -> Result<Answer, Failure> {
        body.withBytes { body in outcome { () throws(Failure) in Answer(try Response(body, protocolVersion)) } }
    }

    // MARK: Step 1

    /// An answer of more bytes is refused. Tests/Vectors show that 65 536 bytes are taken.
    @Test func anAnswerHasAtMost64KiB() {
        // The size comes first: before emptiness, before the check of the text.
        for byte in [" ", "x"] {
            let read = read(String(repeating: byte, count: 65_537))
            #expect(read.failedStatus == "SKAN_ERROR_LIMIT_EXCEEDED")
            #expect(read.failedMessage == "response: 65537 bytes, the limit is 65536")
        }
    }

    @Test(arguments: ["", " ", "\t", "\r\n", " \t\r\n "])
    func anEmptyAnswerHasNoValue(body: String) {
        #expect(read(body).value == .noValue)
        #expect(read(body, .skan3).value == .noValue)
    }

    /// What is nearly empty; other answers are in Tests/Vectors and JSONScannerTests.
    @Test(arguments: ["\0", "\u{0B}", "\u{A0}", "12", "<html>"])
    func anythingButOneObjectIsMalformed(body: String) {
        for version in [ProtocolVersion.skan4, .skan3] {
            #expect(read(body, version).failedStatus == "SKAN_ERROR_MALFORMED_RESPONSE")
            #expect(read(body, version).failedMessage?.hasPrefix("response: ") == true)
        }
    }

    // MARK: Step 2

    /// Names of the numbers, their largest value, and an answer that holds only that one as it is read.
    private static let numbers: [(name: String, largest: Int)] = [
        ("conversion_value", 63), ("skan_updated_coarse_value", 2), ("postback_sequence_index", 2),
    ]

    private func number(_ name: String, _ value: String) -> Result<Int?, Failure> {
        let others = name == "conversion_value" ? "" : #","conversion_value":0"#
        return read("{\"\(name)\":\(value)\(others),\"status\":\"ok\"}").map { answer in
            guard case .value(let fine, let coarse, _, let window) = answer else { return nil }
            return switch name {
            case "conversion_value": fine
            case "skan_updated_coarse_value": coarse
            default: window
            }
        }
    }

    @Test func numbersAreWholeAndInRange() {
        for (name, largest) in ResponseTests.numbers {
            for value in 0...largest {
                let tens = value % 10 == 0 ? ["\(value / 10)e1", "\(value / 10).0E+1"] : []
                let spellings =
                    ["\(value)", "\(value).0", "\(value).000e0", "\(value * 10)e-1", "\(value * 1000)E-3"] + tens
                for text in spellings { #expect(number(name, text).value == value, "\(name) \(text)") }
            }
            #expect(number(name, "-0").value == 0)
            #expect(number(name, "-0.0e5").value == 0)
            #expect(number(name, "null").value == .some(nil))
            for text in [
                "\(largest + 1)", "-1", "0.5", "\(largest).5", "1e-1", "1e2", "1e400", "1e99999999999", "64.0",
                "4294967296", "4294967308",
                "18446744073709551616", "-18446744073709551615", "9223372036854775807", "0.9999999999999999999999",
                "1.0000000000000000000001", #""1""#, #""""#, "true", "false", "[]", "[1]", "{}", #"{"a":1}"#,
            ] {
                let read = number(name, text)
                #expect(read.failedStatus == "SKAN_ERROR_ILLEGAL_VALUE", "\(name) \(text)")
                #expect(read.failedMessage?.contains(name) == true, "\(name) \(text)")
            }
        }
    }

    @Test(
        arguments: [
            ("true", true), ("false", false), ("null", false), ("1", true), ("0", false), ("1.0", true), ("0.0", false),
            ("-0", false), ("10e-1", true), ("0e5", false), ("2", nil), ("-1", nil), ("0.5", nil), (#""true""#, nil),
            (#""1""#, nil), (#""""#, nil), ("[]", nil), ("{}", nil), ("[true]", nil),
        ] as [(String, Bool?)])
    func aLockIsTrueFalseOneOrZero(text: String, locks: Bool?) {
        let read = read("{\"conversion_value\":1,\"skan_updated_lock_window_value\":\(text)}")
        if let locks {
            #expect(read.value == .value(1, locks: locks))
        } else {
            #expect(read.failedStatus == "SKAN_ERROR_ILLEGAL_VALUE")
            #expect(read.failedMessage?.contains("skan_updated_lock_window_value") == true)
        }
    }

    @Test func everyMemberIsReadUnderItsOwnName() {
        let body =
            #"{"x":[{"conversion_value":9}],"skan_updated_lock_window_value":true,"postback_sequence_index":2,"#
            + #""skan_updated_coarse_value":1,"conversion_v\u0061lue":63,"status":1,"reason":[]}"#
        #expect(read(body).value == .value(63, coarse: 1, locks: true, window: 2))
        // Names are what they are: nothing near them counts.
        #expect(read(#"{"Conversion_value":1,"conversion_value ":2,"status":"ok"}"#).value == .noValue)
        #expect(read(#"{"data":{"conversion_value":1},"status":"ok"}"#).value == .noValue)
    }

    // MARK: Step 3

    /// What is said where the endpoint said nothing.
    private static func own(_ status: String) -> String {
        "response: the answer has neither a value nor a reason: without a conversion_value the status must be "
            + "\"ok\", got \(status)"
    }

    @Test(
        arguments: [
            (#"{"status":"\u006fk","reason":null}"#, nil), (#"{"status":"ok","reason":"why"}"#, nil),
            (#"{"status":"ok","conversion_value":null,"skan_updated_coarse_value":null}"#, nil),
            (#"{"status":"ok","postback_sequence_index":1}"#, nil),
            (#"{}"#, own("none")), (#"{"status":null}"#, own("none")), (#"{"status":""}"#, own(#""""#)),
            (#"{"status":"OK"}"#, own(#""OK""#)), (#"{"status":"ok "}"#, own(#""ok ""#)),
            (#"{"status":"okay"}"#, own(#""okay""#)), (#"{"status":"o"}"#, own(#""o""#)),
            (#"{"status":"error","reason":""}"#, own(#""error""#)),
            (#"{"status":"error","reason":null}"#, own(#""error""#)), (#"{"reason":"because"}"#, "because"),
            (#"{"status":"error","reason":"\u00e9\n\ud800 \"x\""}"#, "é\n\u{FFFD} \"x\""),
            (#"{"status":"error","reason":"cut\u0000here"}"#, "cut"),
            (#"{"status":"error","reason":"\u0000here"}"#, own(#""error""#)),
            (#"{"skan_updated_coarse_value":1,"status":"error","reason":"no"}"#, "no"),
            (#"{"skan_updated_coarse_value":1}"#, own("none")),
        ] as [(String, String?)])
    func withoutAConversionValueTheStatusDecides(body: String, reason: String?) {
        for version in [ProtocolVersion.skan4, .skan3] {
            let read = read(body, version)
            if let reason {
                #expect(read.failedStatus == "SKAN_ERROR_REJECTED")
                #expect(read.failedMessage == reason)
            } else {
                #expect(read.value == .noValue)
            }
        }
    }

    @Test(arguments: [
        ("a", "the option sdk_key"), ("i", "the option bundle_id"), ("app_v", "the option app_version"),
        ("v", "the device's os_version"), ("idfv", "the device's idfv"), ("idfa", "the device's idfa"),
    ])
    func aRejectionNamesWhatSetsTheParameter(item: String, setter: String) {
        let reason = "Conversion Management: Invalid parameter \(item) given"
        for version in [ProtocolVersion.skan4, .skan3] {
            let body = #"{"status":"error","reason":"\#(reason)"}"#
            #expect(read(body, version).failedMessage == "\(reason): \(setter) sets it")
        }
    }

    @Test(arguments: [
        "Conversion Management: Invalid parameter p given", "Invalid parameter app_v given",
        "Conversion Management: Invalid parameter app_v given.", "app_v",
    ])
    func otherReasonsAreUnchanged(reason: String) {
        #expect(read(#"{"status":"error","reason":"\#(reason)"}"#).failedMessage == reason)
    }

    // MARK: Rules, "SKAN 3 values"

    @Test func skan3LooksAtTheConversionValueAlone() {
        let others =
            #","skan_updated_coarse_value":9,"skan_updated_lock_window_value":"x","postback_sequence_index":-1}"#
        #expect(read(#"{"conversion_value":5"# + others, .skan3).value == .value(5))
        #expect(read(#"{"status":"ok""# + others, .skan3).value == .noValue)
        // Where an empty text is no value, nothing else is looked at.
        #expect(read(#"{"conversion_value":"","status":"error","reason":1}"#, .skan3).value == .noValue)
    }
}
