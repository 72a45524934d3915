import SKANCore
import Testing

/// Rules, "Endpoint requests", "Endpoint reasons": items of a query, what a request has to carry, and the reasons. The
/// tests of the server send whole requests (Tests/Command/Server/Program/test_endpoint.py). These alone judge each item
/// by itself, the order in which missing ones are named, and each limit on both sides: of items, keys, windows and
/// clocks.
struct EndpointTests {
    private func found(_ name: DocumentKey, in query: String) -> String? {
        withQuery(query) { query, memory in
            guard let items = QueryItems(query, in: memory) else { return "no items" }
            switch items.find(name) {
            case .none: return nil
            case .unfit: return "unfit"
            case .value(let value): return "value " + String(decoding: value, as: UTF8.self)
            }
        }
    }

    @Test(
        arguments: [
            ("", nil), ("n", nil), ("n=", nil), ("=x", nil), ("m=x", nil), ("N=x", nil), ("nn=x", nil),
            ("&&n=x&&", "x"),
            ("n=x", "x"), ("n=a=b", "a=b"), ("n=a+b%2B", "a b+"), ("n=%e4%B8%96", "世"), ("%6e=x", "x"), ("n=%00", "\0"),
            ("m=%&n=x", "x"), ("%=1&n=x", "x"),
        ] as [(String, String?)]) func anItem(query: String, value: String?)
    {
        #expect(found("n", in: query) == value.map { "value " + $0 })
    }

    @Test(arguments: [
        "n=x&n=x", "n=x&n=", "n=&n=x", "n=&n", "n=x&%6E=y", "n=%", "n=%2", "n=%2g", "n=a%", "n=%%41",
    ]) func anItemThatIsUnfit(query: String) {
        #expect(found("n", in: query) == "unfit")
    }

    @Test func thereAreLimits() {
        let many = String(repeating: "a=1&", count: 128)
        #expect(found("n", in: many) == nil)
        #expect(found("n", in: many + "n=1") == "no items")
        "n=1".withBytes { #expect(QueryItems($0, in: UnsafeMutableRawBufferPointer(start: nil, count: 0)) == nil) }
    }

    /// The reason that a request is refused for, or its key.
    private func read(
        _ query: String, _ protocolVersion: SKANCore.ProtocolVersion = .skan4, now: Int64 = 1_700_000_000
    ) -> String {
        withQuery(query) { query, memory in
            do throws(EndpointRejection) {
                guard let items = QueryItems(query, in: memory) else { return "no items" }
                let request = try EndpointRequest(items, protocolVersion)
                try request.checkOpen(at: now)
                return written { request.writeKey(to: &$0) }
            } catch {
                return String(decoding: error.reason.utf8, as: UTF8.self)
            }
        }
    }

    private static let skan4 = [
        "a=k", "p=iOS", "i=com.app", "v=17", "n=win", "app_v=1", "idfv=u", "skan_current_conversion_value=3",
        "skan_first_call_to_skadnetwork_timestamp=1700000000",
    ]
    private static let skan3 = [
        "a=k", "p=iOS", "i=com.app", "n=win", "app_v=1", "idfv=u", "first_call_to_skadnetwork_timestamp=1700000000",
    ]

    @Test func requiredItemsAreAskedForInOrder() {
        for version in [SKANCore.ProtocolVersion.skan4, .skan3] {
            let items = version == .skan4 ? EndpointTests.skan4 : EndpointTests.skan3
            for count in items.indices {
                let missing = items[count].prefix { $0 != "=" }
                let expected =
                    version == .skan4 && missing == "skan_current_conversion_value"
                    ? "skan_first_call_to_skadnetwork_timestamp" : missing
                let reason = "Conversion Management: Invalid parameter \(expected) given"
                #expect(read(items[..<count].joined(separator: "&"), version) == reason)
            }
            let key = version == .skan4 ? "v2/com.app/u" : "v1/com.app/u"
            #expect(read(items.joined(separator: "&"), version) == key)
        }
        var items = EndpointTests.skan4
        items.remove(at: 7)
        #expect(
            read(items.joined(separator: "&"))
                == "Conversion Management: Invalid parameter skan_current_conversion_value given")
    }

    private func replaced(_ name: String, _ value: String) -> String {
        EndpointTests.skan4.map { $0.hasPrefix(name + "=") ? name + "=" + value : $0 }.joined(separator: "&")
    }

    @Test func keysAreOfAppAndUser() {
        let zeros = "00000000-0000-0000-0000-000000000000"
        #expect(read(replaced("idfv", "u") + "&idfa=x") == "v2/com.app/u")
        #expect(read(replaced("idfv", "") + "&idfa=x") == "v2-idfa/com.app/x")
        #expect(read(replaced("idfv", zeros) + "&idfa=x") == "v2-idfa/com.app/x")
        #expect(read(replaced("idfv", "x") + "&idfa=" + zeros) == "v2/com.app/x")
        let three = EndpointTests.skan3.filter { !$0.hasPrefix("idfv=") }.joined(separator: "&")
        #expect(read(three + "&idfa=x", .skan3) == "v1-idfa/com.app/x")
        #expect(read(replaced("idfv", zeros) + "&idfa=" + zeros).hasSuffix("parameter idfv given"))
        // Neither can be read as the other one's.
        #expect(read(replaced("i", "a/b")).hasSuffix("parameter i given"))
        #expect(read(replaced("idfv", "a/b")) == "v2/com.app/a/b")
        // What is longer than a key.
        let user = String(repeating: "u", count: 117)
        #expect(read(replaced("idfv", user)) == "v2/com.app/" + user)
        #expect(read(replaced("idfv", user + "u")).hasSuffix("parameter idfv given"))
        #expect(read(replaced("idfv", "") + "&idfa=" + user.dropLast(5)) == "v2-idfa/com.app/" + user.dropLast(5))
        #expect(read(replaced("idfv", "") + "&idfa=" + user.dropLast(4)).hasSuffix("parameter idfa given"))
        #expect(read(replaced("i", String(repeating: "i", count: 124))).hasSuffix("parameter i given"))
    }

    @Test func whoHasNeitherOfApplesIdsHasKeysOfItsOwn() {
        let zeros = "00000000-0000-0000-0000-000000000000"
        #expect(read(replaced("idfv", "") + "&sing=x&sdid=y&custom_user_id=z") == "v2-sing/com.app/x")
        #expect(read(replaced("idfv", zeros) + "&sdid=y&custom_user_id=z") == "v2-sdid/com.app/y")
        #expect(read(replaced("idfv", "") + "&custom_user_id=a/b") == "v2-custom_user_id/com.app/a/b")
        #expect(read(replaced("idfv", "u") + "&sing=x") == "v2/com.app/u")
        #expect(read(replaced("idfv", "") + "&idfa=w&sing=x") == "v2-idfa/com.app/w")
        let three = EndpointTests.skan3.filter { !$0.hasPrefix("idfv=") }.joined(separator: "&")
        #expect(read(three + "&sing=x", .skan3) == "v1-sing/com.app/x")
        let user = String(repeating: "u", count: 128 - "v2-custom_user_id/com.app/".utf8.count)
        #expect(read(replaced("idfv", "") + "&custom_user_id=" + user) == "v2-custom_user_id/com.app/" + user)
        #expect(read(replaced("idfv", "") + "&custom_user_id=u" + user).hasSuffix("parameter custom_user_id given"))
    }

    @Test func theSystemsVersionIsNamedVOrVe() {
        #expect(read(replaced("v", "") + "&ve=17") == "v2/com.app/u")
        #expect(read(replaced("v", "17") + "&ve=18") == "v2/com.app/u")
        #expect(read(replaced("v", "") + "&ve=").hasSuffix("parameter v given"))
        #expect(read(replaced("v", "") + "&ve=1%00").hasSuffix("parameter ve given"))
    }

    @Test func anItemHasAtMost256BytesAndNoControlBytes() {
        #expect(read(replaced("v", String(repeating: "v", count: 256))) == "v2/com.app/u")
        let refused = [String(repeating: "v", count: 257), "1%00", "1%1F", "1%7F", "1%FF", "%C0%AF"]
        for value in refused { #expect(read(replaced("v", value)).hasSuffix("parameter v given"), "\(value)") }
    }

    @Test func windows() {
        let first: Int64 = 1_700_000_000
        let four = EndpointTests.skan4.joined(separator: "&")
        let three = EndpointTests.skan3.joined(separator: "&")
        #expect(read(four, now: first + 3_023_999) == "v2/com.app/u")
        #expect(read(four, now: first + 3_024_000) == "Invalid measurement period: 35")
        #expect(read(four, now: first - 60) == "v2/com.app/u")
        let ahead = "Conversion Management: Invalid parameter skan_first_call_to_skadnetwork_timestamp given"
        #expect(read(four, now: first - 61) == ahead)
        #expect(read(three, .skan3, now: first + 86_399) == "v1/com.app/u")
        let last = "&last_call_to_skadnetwork_timestamp=1700000100"
        #expect(read(three + last, .skan3, now: first + 86_499) == "v1/com.app/u")
        #expect(
            read(three + last, .skan3, now: first + 100 + 180_000)
                == "More than 24 hours have past since last conversion update (50 hours), the update window is closed")
        // Times at both ends.
        for time in ["9223372036854", "-9223372036854"] {
            let far = four.replacing("timestamp=1700000000", with: "timestamp=" + time)
            #expect(!read(far, now: 9_223_372_036_854).isEmpty && !read(far, now: -62_135_596_800).isEmpty)
        }
    }

    @Test func aReasonIsJSON() {
        let app = [UInt8](#"a"b\c"#.utf8)
        let answer = writtenJSON { $0.answerRejection(EndpointRejection.noModel(app: app).reason) }
        let reason = #"Conversion Management: Conversion Model not found for app: a\"b\\c"#
        #expect(answer == #"{"status":"error","reason":"\#(reason)"}"#)
    }
}
