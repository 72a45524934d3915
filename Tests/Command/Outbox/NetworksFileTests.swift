import CSKANSystem
import SKANCore
import SKANSystem
import Testing

@testable import SKANCommandOutbox

/// A file that is there as long as the test.
private final class TextFile {
    let path: String

    init(_ text: String) {
        path = "/tmp/skan-networks-\(UInt64.random(in: 0...UInt64.max))"
        let file = fopen(path, "wb")
        let bytes = Array(text.utf8)
        fwrite(bytes, 1, bytes.count, file)
        fclose(file)
        chmod(path, 0o600)
    }

    deinit { unlink(path) }
}

private func read(_ text: String) throws -> Networks {
    let file = TextFile(text)
    var problems: [Message] = []
    return try #require(Networks.read(CText(Array(file.path.utf8)), &problems))
}

/// What is wrong, without the file's name.
private func problems(_ text: String) -> [String] {
    let file = TextFile(text)
    var problems: [Message] = []
    #expect((Networks.read(CText(Array(file.path.utf8)), &problems) == nil) == !problems.isEmpty)
    return problems.map { problem in
        let words = String(decoding: problem.utf8, as: UTF8.self)
        return words.hasPrefix("\(file.path): ") ? String(words.dropFirst(file.path.utf8.count + 2)) : words
    }
}

private func problem(_ text: String) -> String? { problems(text).first }

@Test func everythingThatIsWrongWithNetworksIsSaid() {
    let text = """
        {"networks": [
          {"name": "one", "ad_networks": ["a"], "tokens": ["env:NOT_THERE", "x"],
            "partners": [{"name": "p", "url": "ftp://p"}, 1]},
          {"name": "one", "ad_networks": ["b"]}, {"name": "two", "ad_networks": ["a"]}, 2]}
        """
    #expect(
        problems(text) == [
            "network \"one\": the environment variable NOT_THERE is not set",
            "network \"one\": expected env:NAME or file:PATH, got something else",
            "network \"one\": partner \"p\": url: expected http:// or https://",
            "network \"one\": partners: expected objects", "network \"one\": appears twice",
            "network \"two\": \"a\" is of network \"one\" too", "networks[3]: expected an object",
        ])
}

/// A file with one network.
private func network(_ members: String, name: String = "example", ids: String = #"["a.skadnetwork"]"#) -> String {
    #"{"networks":[{"name":"\#(name)","ad_networks":\#(ids)\#(members)}]}"#
}

private func admits(_ networks: Networks, _ name: String, _ token: String) -> Bool {
    Array(name.utf8).withUnsafeBytes { name in
        Array(token.utf8).withUnsafeBytes { networks.admitted(name, token: $0) != nil }
    }
}

@Test func networksArePartnersAndIDs() throws {
    let networks = try read(
        """
        {"networks": [
          {"name": "one", "ad_networks": ["a", "b"], "partners": [
            {"name": "p", "url": "http://p/?{id}"}, {"name": "q", "url": "https://q/?x={id}"}]},
          {"name": "two", "ad_networks": ["c"], "tokens": null, "partners": [{"name": "p", "url": "http://r/?{id}"}]}
        ]}
        """)
    #expect(networks.partnerCount == 3)
    let id = networks.network(ofAdNetwork: Array("b".utf8))?.name
    #expect(id == Array("one".utf8))
    #expect(networks.network(ofAdNetwork: Array("bb".utf8)) == nil)
    #expect(networks.partner(Array("p".utf8), of: Array("two".utf8))?.id == Array("two/p".utf8))
    #expect(networks.partner(Array("q".utf8), of: Array("two".utf8)) == nil)
    #expect(networks.partner(Array("p".utf8), of: Array("three".utf8)) == nil)
}

@Test func aNetworkIsAdmittedByEachOfItsTokensAndByNoOther() throws {
    let token = "token-4f2c9a7e15d83b60"
    let file = TextFile(token + "\r\n")
    setenv("SKAN_TEST_OLD_TOKEN", "old-token-a1b2c3d4e5f6", 1)
    let networks = try read(network(#","tokens":["file:\#(file.path)","env:SKAN_TEST_OLD_TOKEN"]"#))
    #expect(admits(networks, "example", token))
    #expect(admits(networks, "example", "old-token-a1b2c3d4e5f6"))
    let long = String(repeating: "x", count: 300)
    for wrong in ["", String(token.dropLast()), token + "x", token.uppercased(), long, token + "\0"] {
        #expect(!admits(networks, "example", wrong), "\(wrong)")
    }
    #expect(!admits(networks, "nobody", token))
    #expect(!admits(networks, "", ""))
    #expect(!admits(try read(network("")), "example", ""))
}

@Test func theLongestTokenIsComparedWhole() throws {
    let token = String(repeating: "t", count: 256)
    setenv("SKAN_TEST_LONG_TOKEN", token, 1)
    let networks = try read(network(#","tokens":["env:SKAN_TEST_LONG_TOKEN"]"#))
    #expect(admits(networks, "example", token))
    #expect(!admits(networks, "example", token + "t"))
    #expect(!admits(networks, "example", token.dropLast() + "u"))
}

@Test func whatIsWrongWithTokensIsToldWithoutThem() {
    setenv("SKAN_TEST_SHORT_TOKEN", "fifteen-letters", 1)
    setenv("SKAN_TEST_BLANK_TOKEN", "sixteen letters x", 1)
    let cases = [
        ("secret-0123456789abcdef", "expected env:NAME or file:PATH, got something else"),
        ("env:SKAN_TEST_NO_TOKEN", "the environment variable SKAN_TEST_NO_TOKEN is not set"),
        ("env:SKAN_TEST_SHORT_TOKEN", "expected 16 to 256 bytes in env:SKAN_TEST_SHORT_TOKEN"),
        ("env:SKAN_TEST_BLANK_TOKEN", "expected printable ASCII in env:SKAN_TEST_BLANK_TOKEN"),
        ("file:/nowhere/token", "/nowhere/token: No such file or directory"),
        ("file:/", "/: Is a directory"),
    ]
    for (token, words) in cases {
        #expect(problem(network(#","tokens":["\#(token)"]"#)) == "network \"example\": \(words)")
    }
    let long = TextFile(String(repeating: "x", count: 5000))
    #expect(
        problem(network(#","tokens":["file:\#(long.path)"]"#))
            == "network \"example\": expected 16 to 256 bytes in file:\(long.path)")
}

@Test func whatIsWrongWithAFileIsTold() {
    let partner = #"{"name":"p","url":"http://p/?{id}"}"#
    let cases: [(String, String)] = [
        ("[]", "expected an object"),
        ("", "no JSON, at byte 0 (line 1, column 1)"),
        ("{\"networks\": [\n  {\"name\": \"\u{e9}\", }]}", "no JSON, at byte 32 (line 2, column 17)"),
        ("{}", "networks: expected an array of 1 to 1000"),
        (#"{"networks":[]}"#, "networks: expected an array of 1 to 1000"),
        (#"{"networks":[],"more":1}"#, "unknown key \"more\""),
        (#"{"networks":[1]}"#, "networks[0]: expected an object"),
        (#"{"networks":[{"token":1}]}"#, "networks[0]: unknown key \"token\""),
        (#"{"networks":[{}]}"#, "networks[0]: name: expected text"),
        (network("", name: ""), "networks[0]: name: expected 1 to 24 bytes without control characters"),
        (network("", name: "a\\u0000"), "networks[0]: name: expected 1 to 24 bytes without control characters"),
        (network("", name: "Example"), "networks[0]: name: expected a-z, 0-9, \".\", \"_\" and \"-\""),
        (network("", ids: "[]"), "network \"example\": ad_networks: expected an array of 1 to 1000"),
        (network("", ids: "null"), "network \"example\": ad_networks: expected an array of 1 to 1000"),
        (network("", ids: "[1]"), "network \"example\": ad_networks: expected text"),
        (network(#","tokens":1"#), "network \"example\": tokens: expected an array of 0 to 4"),
        (network(#","tokens":["","","","",""]"#), "network \"example\": tokens: expected an array of 0 to 4"),
        (network(#","partners":[1]"#), "network \"example\": partners: expected objects"),
        (network(#","partners":[{"nam":1}]"#), "network \"example\": unknown key \"nam\""),
        (network(#","partners":[{"name":"p"}]"#), "network \"example\": url: expected text"),
        (
            network(#","partners":[\#(partner),\#(partner)]"#),
            "network \"example\": partner \"p\" appears twice"
        ),
        (
            network(#","partners":[{"name":"p","url":"http://p/"}]"#),
            "network \"example\": partner \"p\": url: expected {id} in the query, so that the partner can drop repeats"
        ),
    ]
    for (text, words) in cases { #expect(problem(text) == words, "\(text)") }
    let key = String(repeating: "k", count: 65)
    #expect(problem("{\"\(key)\":1}") == "unknown key \"\(key.dropLast())\"...")
}

@Test func aFileThatIsNotThereIsTold() {
    var problems: [Message] = []
    #expect(Networks.read(CText(Array("/nowhere/networks".utf8)), &problems) == nil)
    #expect(problems.count == 1)
}
