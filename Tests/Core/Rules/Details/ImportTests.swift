import SKANCore
import SKANEngine
import Testing

/// Rules, "Import": a details document as an install's state. The lives of Tests/Vectors import a few documents. These
/// tests alone judge each key by itself: what it takes, what it refuses, at which limit, and that the message names it;
/// and any state there and back, and documents for installs whose record is unregistered.
struct ImportTests {
    private func read(_ document: String, _ protocolVersion: ProtocolVersion = .skan4) -> Result<InstallState, Failure>
    {
        document.withBytes { document in
            outcome { () throws(Failure) in try InstallState(importing: document, protocolVersion) }
        }
    }

    /// The details of a state, as a text.
    private func details(_ state: InstallState) throws -> String {
        let text = try state.detailsText()
        defer { text.start.deallocate() }
        return String(cString: text.start)
    }

    private static let first = #""skan_first_call_to_skadnetwork_timestamp":1000"#

    // MARK: What is taken

    @Test func anyStateThatMayBeIsTakenAsItIs() throws {
        var chance = Chance(61)
        for round in 0..<300 {
            var state = chance.state(mostTotals: 20, mostEvents: 0)
            // Without a first call there is nothing but lifetime revenue.
            if state.conversion.first == nil {
                state = InstallState(state.conversion.protocolVersion)
                for _ in 0..<5 {
                    guard let currency = chance.currency() else { continue }
                    _ = state.revenue.add(chance.amount(), currency, to: .lifetime(.iap))
                }
            }
            let before = try details(state)
            let read = read(before, state.conversion.protocolVersion)
            guard let imported = read.value else {
                Issue.record("round \(round): \(read) for \(before)")
                continue
            }
            let after = try details(imported)
            expect(after == before, "round \(round): \(after) after \(before)")
            #expect(!imported.isStored && imported.conversion.lastUpdate == nil)
            #expect(imported.conversion.newestTicket == 0)
            #expect(imported.events.isEmpty)
        }
    }

    @Test(arguments: [
        ("{}", "none none none"), (#"{"x":{"y":[1]},"":null}"#, "none none none"), (" \n{}\n ", "none none none"),
        (#"{"skan_current_conversion_value":null,"p0_coarse":null,"p0_total_iap_revenue":null}"#, "none none none"),
        ("{\(first)}", "1000 1000 none"), (#"{"skan_first_call_to_skadnetwork_timestamp":"1000"}"#, "1000 1000 none"),
        (#"{"skan_first_call_to_skadnetwork_timestamp":1e3}"#, "1000 1000 none"),
        (
            #"{"skan_first_call_to_skadnetwork_timestamp":1000.0,"skan_last_call_to_skadnetwork_timestamp":"2000"}"#,
            "1000 2000 none"
        ),
        (#"{\#(first),"skan_current_conversion_value":"63"}"#, "1000 1000 63"),
        (#"{\#(first),"skan_current_conversion_value":6.3e1}"#, "1000 1000 63"),
        (#"{"skan_current_conversion_value":7,\#(first)}"#, "1000 1000 7"),
        (#"{\#(first),"skan_last_call_to_skadnetwork_timestamp":null}"#, "1000 1000 none"),
        (#"{"skan_first_call_to_skadnetwork_timestamp":-62135596800}"#, "-62135596800 -62135596800 none"),
        (#"{"skan_first_call_to_skadnetwork_timestamp":9223372036854}"#, "9223372036854 9223372036854 none"),
    ])
    func integersMayBeTextAndKeysMissing(document: String, expected: String) throws {
        let state = try read(document).get()
        func shown(_ number: Int64?) -> String { number.map { "\($0)" } ?? "none" }
        #expect(
            "\(shown(state.conversion.first)) \(shown(state.conversion.last)) \(shown(state.conversion.fine.map { Int64($0) }))"
                == expected)
    }

    @Test(arguments: [
        (#"{"usd":1.5}"#, #"{"USD":1.5}"#), (#"{"Usd":0}"#, #"{"USD":0}"#), ("{}", "null"), ("null", "null"),
        (
            #"{"USD":0.0000000000005,"EUR":0.0000000000015,"GBP":1e-12}"#,
            #"{"EUR":0.000000000002,"GBP":0.000000000001,"USD":0}"#
        ),
        (#"{"USD":1E2}"#, #"{"USD":100}"#), (#"{"USD":-0.0}"#, #"{"USD":0}"#),
        (#"{"USD":123456789012345678}"#, #"{"USD":123456789012345678}"#),
        (#"{"USD":999999999999999999.9999999999994}"#, #"{"USD":999999999999999999.999999999999}"#),
        (#"{"USD":123456789012345678.123456789012}"#, #"{"USD":123456789012345678.123456789012}"#),
        (#"{"ZZZ":1,"AAA":2,"MMM":3}"#, #"{"AAA":2,"MMM":3,"ZZZ":1}"#), (#"{"\u0055SD":1}"#, #"{"USD":1}"#),
    ])
    func amountsAreExactAndCurrenciesInUpperCase(table: String, expected: String) throws {
        let state = try read("{\"skan_total_revenue_by_currency\":\(table)}").get()
        #expect(state.conversion.first == nil)
        #expect(try details(state).contains("\"skan_total_revenue_by_currency\":\(expected),"))
    }

    // MARK: What is refused, naming the key

    /// Expects that the document is refused as wrong under this key.
    private func expectRefused(_ key: String, _ document: String, _ sourceLocation: SourceLocation = #_sourceLocation) {
        let read = read(document)
        let message = read.failedMessage ?? ""
        #expect(
            read.failedStatus == "SKAN_ERROR_INVALID_DOCUMENT" && message.hasPrefix("\(key): "),
            "\(document): \(message)", sourceLocation: sourceLocation)
    }

    private static let integers: [(key: String, largest: String, tooLarge: String)] = [
        ("skan_current_conversion_value", "63", "64"), ("prev_fine_value", "63", "64"), ("p0_coarse", "2", "3"),
        ("p1_coarse", "2", "3"), ("p2_coarse", "2", "3"), ("p0_prev_coarse_value", "2", "3"),
        ("p1_prev_coarse_value", "2", "3"), ("p2_prev_coarse_value", "2", "3"),
        ("p0_window_lock", "9223372036854", "9223372036855"),
        ("p1_window_lock", "9223372036854", "9223372036855"), ("p2_window_lock", "9223372036854", "9223372036855"),
        ("skan_last_call_to_skadnetwork_timestamp", "9223372036854", "9223372036855"),
    ]

    @Test func everyIntegerIsCheckedUnderItsName() {
        for (key, largest, tooLarge) in ImportTests.integers {
            for value in [largest, "\"\(largest)\"", "0", "\"0\"", "0.0", "null"] {
                #expect(read("{\(ImportTests.first),\"\(key)\":\(value)}").value != nil, "\(key): \(value)")
            }
            let refused = [
                tooLarge, "\"\(tooLarge)\"", "0.5", "\"0.5\"", "true", "false", "[]", "[1]", "{}", #""""#, #"" 1""#,
                #""1 ""#, #""+1""#, #""01""#, #""0x1""#, #""1\u0000""#, #""one""#, "1e400", "18446744073709551616",
                "-18446744073709551616", "-9223372036855",
            ]
            for value in refused { expectRefused(key, "{\(ImportTests.first),\"\(key)\":\(value)}") }
            // Only a registered install has such a value.
            expectRefused(key, "{\"\(key)\":1}")
        }
    }

    private static let tables = [
        "skan_total_revenue_by_currency", "skan_total_admon_revenue_by_currency", "p0_total_iap_revenue",
        "p1_total_iap_revenue", "p2_total_iap_revenue", "p0_total_admon_revenue", "p1_total_admon_revenue",
        "p2_total_admon_revenue",
    ]

    @Test(arguments: [
        (#"{"USD":"1","EURO":2}"#, "USD"), (#"{"EURO":2,"USD":"1"}"#, "EURO"), (#"{"USD":1,"usd":2,"X":1}"#, "usd"),
    ])
    func ofWrongMembersTheFirstIsNamed(table: String, named: String) {
        let read = read("{\"skan_total_revenue_by_currency\":\(table)}")
        #expect(read.failedMessage?.contains("\"\(named)\"") == true, "\(read.failedMessage ?? "")")
    }

    @Test func everyTableIsCheckedUnderItsName() {
        for key in ImportTests.tables {
            #expect(read("{\(ImportTests.first),\"\(key)\":{\"USD\":1}}").value != nil)
            let refused = [
                "1", "true", #""{}""#, "[]", #"{"US":1}"#, #"{"USDT":1}"#, #"{"U1D":1}"#, #"{"":1}"#, #"{"USD":"1"}"#,
                #"{"USD":null}"#, #"{"USD":true}"#, #"{"USD":[1]}"#, #"{"USD":{}}"#, #"{"USD":1e18}"#,
                #"{"USD":-1000000000000000000}"#, #"{"USD":123456789012345678901234567890}"#, #"{"USD":1e400}"#,
                #"{"USD":999999999999999999.9999999999995}"#, #"{"USD":1,"usd":2}"#, #"{"EUR":1,"eUR":1,"USD":1}"#,
                #"{"US\ud800":1}"#,
            ]
            for value in refused { expectRefused(key, "{\(ImportTests.first),\"\(key)\":\(value)}") }
        }
    }

    @Test func lifetimeRevenueAloneIsAnUnregisteredInstall() {
        for key in ImportTests.tables {
            let read = read("{\"\(key)\":{\"USD\":1}}")
            let isLifetime = key.hasPrefix("skan_")
            #expect(read.value.map { $0.conversion.first == nil } == (isLifetime ? true : nil), "\(key)")
            if !isLifetime { expectRefused(key, "{\"\(key)\":{\"USD\":1}}") }
        }
    }

    @Test func aTableHolds64Currencies() {
        func table(_ count: Int) -> String {
            let members = (0..<count).map {
                "\"A\(UnicodeScalar(UInt8(65 + $0 / 26)))\(UnicodeScalar(UInt8(65 + $0 % 26)))\":1"
            }
            return "{\"skan_total_revenue_by_currency\":{" + members.joined(separator: ",") + "}}"
        }
        #expect(read(table(64)).value?.revenue.count == 64)
        expectRefused("skan_total_revenue_by_currency", table(65))
    }

    @Test func skan3LooksAtItsOwnKeysAlone() {
        let foreign = ImportTests.integers.map(\.key).filter { $0 != "skan_last_call_to_skadnetwork_timestamp" }
        for key in foreign + ImportTests.tables.dropFirst() {
            #expect(read("{\"\(key)\":[]}", .skan3).value != nil, "\(key)")
        }
        #expect(
            read(#"{"skan_conversion_value":1}"#, .skan3).failedMessage?.hasPrefix("skan_conversion_value: ") == true)
        #expect(
            read("{\(ImportTests.first),\"skan_conversion_value\":64}", .skan3).failedStatus
                == "SKAN_ERROR_INVALID_DOCUMENT")
        #expect(read(#"{"skan_conversion_value":[]}"#, .skan4).value != nil)
    }

    /// Texts that are no document are refused; JSONScannerTests has more of them.
    @Test(arguments: ["", "[]", "{}{}", #"{"a":1,"a":2}"#, #"{"a":01}"#])
    func otherTextsAreNoDocuments(document: String) {
        expectRefused("json", document)
    }

    @Test func aDocumentHasAtMost64KiB() {
        let most = "{" + String(repeating: " ", count: 65_534) + "}"
        #expect(read(most).value != nil)
        #expect(read(most + " ").failedStatus == "SKAN_ERROR_LIMIT_EXCEEDED")
        #expect(read(most + " ").failedMessage == "json: 65537 bytes, the limit is 65536")
    }

    @Test func onlyAnInstallWithoutARecordTakesADocument() throws {
        var rule = Importing(try read("{\(ImportTests.first)}").get())
        for isRegistered in [true, false] {
            var state = InstallState(.skan4)
            state.isStored = true
            if isRegistered { (state.conversion.first, state.conversion.last) = (1, 1) }
            let before = state.contents
            #expect(try rule.run(on: &state).status == .alreadyRegistered)
            #expect(state.contents == before)
        }
        var state = InstallState(.skan4)
        let verdict = try rule.run(on: &state)
        #expect(verdict.status == .ok && verdict.isChanged)
        #expect(state.conversion.first == 1000)
    }
}
