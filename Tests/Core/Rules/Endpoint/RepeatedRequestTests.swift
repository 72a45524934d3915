import SKANCore
import Testing

/// Rules, "Repeated requests": a request with a known event id counts nothing, and is answered with the value that the
/// user's window has now. LostAnswersTests compares whole lives of one install. These tests alone judge each answer by
/// itself, ids of a user who installs the app again, a value of a window that is over, the number and kinds of ids that
/// are remembered, ids of any bytes, and the test endpoint.
struct RepeatedRequestTests {
    /// One win gives 1, two give 2, and so on up to 4, which locks.
    private static let wins = [
        #"{"fine":1,"when":{"events":[{"name":"win"}]}},{"fine":2,"when":{"events":[{"name":"win","min_count":2}]}},"#
            + #"{"fine":3,"when":{"events":[{"name":"win","min_count":3}]}},"#
            + #"{"fine":4,"lock":true,"when":{"events":[{"name":"win","min_count":4}]}}"#,
        #"{"coarse":1,"when":{"events":[{"name":"win"}]}}"#, "",
    ]

    @Test func aRepeatHasTheSameAnswerAndCountsNothing() throws {
        var user = try User(Self.wins)
        for _ in 0..<5 { #expect(user.ask("a") == "1 in 0") }
        #expect(user.ask("b", fine: 1) == "2 in 0")
        // Without an id every request counts.
        #expect(user.ask(nil, fine: 2) == "3 in 0")
        #expect(user.ask(nil, fine: 3) == "4 in 0, locked")
    }

    @Test func itIsAnsweredWithWhatWasDecidedLast() throws {
        var user = try User(Self.wins)
        #expect(user.ask("a") == "1 in 0")
        #expect(user.ask("b") == "2 in 0")
        #expect(user.ask("a") == "2 in 0")
        #expect(user.ask("b") == "2 in 0")
        // It has the value already.
        #expect(user.ask("a", fine: 2) == "none")
        #expect(user.ask("a", fine: 1) == "2 in 0")
    }

    @Test func aLockIsSaidAgain() throws {
        var user = try User(Self.wins)
        for id in ["a", "b", "c"] { _ = user.ask(id) }
        #expect(user.ask("d", fine: 3) == "4 in 0, locked")
        #expect(user.ask("d", fine: 3) == "4 in 0, locked")
        #expect(user.ask("a", fine: 4) == "4 in 0, locked")
        #expect(user.ask("d", fine: 4, more: "&p0_window_lock=1700000000") == "none")
    }

    /// What was decided for a window that is over helps nobody.
    @Test func anotherWindowHasItsOwnValue() throws {
        var user = try User(Self.wins)
        #expect(user.ask("a") == "1 in 0")
        user.now += 172_800
        #expect(user.ask("a") == "none")
        #expect(user.ask("b", fine: 1) == "1 in 1, coarse 1")
        #expect(user.ask("a", fine: 1) == "1 in 1, coarse 1")
        #expect(user.ask("b", fine: 1, more: "&p1_coarse=1") == "none")
        // The clock of another host is a second behind: the user's window never goes back.
        user.now -= 1
        #expect(user.ask("b", fine: 1) == "1 in 1, coarse 1")
    }

    @Test func noValueIsNoValueAgain() throws {
        var user = try User([#"{"fine":5,"when":{"events":[{"name":"win","min_count":2}]}}"#, "", ""])
        #expect(user.ask("a") == "none")
        #expect(user.ask("a") == "none")
        #expect(user.ask("b") == "5 in 0")
        #expect(user.ask("a") == "5 in 0")
    }

    /// Its coarse value would be one that the new window's rules did not decide.
    @Test func aValueOfAWindowThatIsOverIsNotSaidAgain() throws {
        var user = try User([#"{"fine":1,"coarse":2,"when":{"events":[{"name":"win"}]}}"#, "", ""])
        #expect(user.ask("a") == "1 in 0, coarse 2")
        #expect(user.ask("a") == "1 in 0, coarse 2")
        user.now += 172_800
        #expect(user.ask("a") == "none")
    }

    /// A later answer that says less does not take back what was decided.
    @Test func withRaiseOnlyTheLastValueIsTheGreatest() throws {
        var user = try User([
            #"{"fine":1,"when":{}},{"fine":9,"when":{"events":[{"name":"win","min_count":2,"max_count":3}]}}"#, "", "",
        ])
        #expect(user.ask("a") == "1 in 0")
        #expect(user.ask("b", fine: 1) == "9 in 0")
        #expect(user.ask("c") == "1 in 0")
        #expect(user.ask("b", fine: 1) == "9 in 0")
    }

    @Test func aNewInstallOfTheUserBeginsWithoutIDs() throws {
        var user = try User(Self.wins)
        #expect(user.ask("a") == "1 in 0")
        #expect(user.ask("b", fine: 1) == "2 in 0")
        user.first += 100
        user.now += 100
        #expect(user.ask("a") == "1 in 0")
        #expect(user.ask("b", fine: 1) == "2 in 0")
    }

    @Test func theLast64AreRemembered() throws {
        var user = try User([#"{"fine":1,"when":{"events":[{"name":"win","min_count":66}]}}"#, "", ""])
        for number in 0..<64 { #expect(user.ask("\(number)") == "none") }
        #expect(user.ask("0") == "none")
        #expect(user.ask("64") == "none")
        #expect(user.ask("0") == "1 in 0")
    }

    /// Purchases, ad impressions and other events are remembered apart, as engines do.
    @Test func impressionsDisplaceNoPurchase() throws {
        var user = try User([#"{"fine":1,"when":{"events":[{"name":"win","min_count":202}]}}"#, "", ""])
        #expect(user.ask("purchase", more: "&event_revenue=9.99&event_currency=USD") == "none")
        for number in 0..<100 {
            #expect(user.ask("\(number)", more: "&event_revenue=0.01&event_currency=USD&event_ad=1") == "none")
            #expect(user.ask("event \(number)") == "none")
        }
        #expect(user.ask("purchase", more: "&event_revenue=9.99&event_currency=USD") == "none")
        #expect(user.ask("purchase") == "none")
        #expect(user.ask("another") == "1 in 0")
    }

    @Test func anIDIsOfAnyBytes() throws {
        var user = try User(Self.wins)
        #expect(user.ask("%00%FF%0A") == "1 in 0")
        #expect(user.ask("%00%ff%0a") == "1 in 0")
        #expect(user.ask(String(repeating: "x", count: 128), fine: 1) == "2 in 0")
        let refusal = "Conversion Management: Invalid parameter event_id given"
        #expect(user.ask(String(repeating: "x", count: 129)) == refusal)
        #expect(user.ask("a&event_id=a") == refusal)
        #expect(user.ask("%") == refusal)
    }

    @Test func theTestEndpointAnswersWithItsLastValue() throws {
        var user = User(models: [], .skan3)
        #expect(user.ask("a") == "0 in 0")
        #expect(user.ask("a") == "0 in 0")
        #expect(user.ask("b") == "1 in 0")
        #expect(user.ask("a") == "1 in 0")
        #expect(user.ask("c") == "2 in 0")
        #expect(user.ask("d") == "none")
        #expect(user.ask("c") == "2 in 0")
    }
}

/// A user of an endpoint.
private struct User {
    private let models: [ConversionModel]
    private let version: SKANCore.ProtocolVersion
    private var state: InstallState
    var first: Int64 = 1_700_000_000
    var now: Int64 = 1_700_000_000

    init(_ rules: [String]) throws { self.init(models: [try ConversionModel.of(rules: rules).get()], .skan4) }

    init(models: [ConversionModel], _ version: SKANCore.ProtocolVersion) {
        self.models = models
        self.version = version
        state = InstallState(version)
    }

    /// What a win is answered with: "9 in 0, coarse 1, locked", "none", or the reason of the refusal.
    mutating func ask(_ id: String?, fine: Int = 0, more: String = "") -> String {
        let value = version == .skan4 ? "skan_current_conversion_value=\(fine)&skan_" : ""
        let query =
            "a=k&p=iOS&i=com.app&v=17&n=win&app_v=1&idfv=u&\(value)first_call_to_skadnetwork_timestamp=\(first)"
            + (id.map { "&event_id=\($0)" } ?? "") + more
        return withQuery(query) { query, memory in
            do throws(EndpointRejection) {
                let request = try EndpointRequest(query, in: memory, version, models: models, now: now)
                var decision = EndpointDecision(request, models: models, now: now)
                let verdict = outcome { () throws(Failure) in try decision.run(on: &state) }.value
                let status = try? #require(verdict).status
                return shown(writtenJSON { decision.write(status ?? .store, to: &$0) })
            } catch {
                return String(decoding: error.reason.utf8, as: UTF8.self)
            }
        }
    }
}

/// An answer in few words.
private func shown(_ json: String) -> String {
    let numbers = json.split { !$0.isNumber }
    guard let fine = numbers.first else { return "none" }
    let window = numbers.count > 1 ? numbers.last ?? "" : "0"
    let coarse = numbers.count > 2 ? ", coarse \(numbers[1])" : ""
    return "\(fine) in \(window)\(coarse)\(json.contains("lock") ? ", locked" : "")"
}
