import SKANCore
import Testing

@testable import SKANRedisRecords

/// Rules of addresses that need no server; those of the C host are in Tests/Stores/Library/Redis/store.c.
struct RedisAddressTests {
    private func address(_ url: String) throws(Failure) -> RedisAddress {
        try Array(url.utf8).withUnsafeBufferPointer { url throws(Failure) in
            try RedisAddress(UnsafeRawBufferPointer(url))
        }
    }

    private func name(_ url: String) throws -> String {
        String(decoding: try address(url).name.utf8, as: UTF8.self)
    }

    @Test(arguments: [
        ("redis://localhost", "redis://localhost:6379/0"),
        ("REDIS://h:1/", "redis://h:1/0"),
        ("redis://h:65535/65535", "redis://h:65535/65535"),
        ("redis://[::1]:7000/3", "redis://[::1]:7000/3"),
        ("redis://[::1]", "redis://[::1]:6379/0"),
        ("redis://caf%C3%A9", "redis://café:6379/0"),
        ("unix:///run/redis", "redis+unix:///run/redis?db=0"),
        ("redis+UNIX://u:p@/a%20b?db=7", "redis+unix:///a b?db=7"),
        ("redis://user:hidden@h", "redis://h:6379/0"),
        ("rediss://u:hidden@h:1/2", "rediss://h:1/2"),
        ("rediss://h/2?cacert=/c&cert=/d&key=/e&sni=n", "rediss://h:6379/2"),
        ("rediss://h?sni=n", "rediss://h:6379/0"),
        ("redis+cluster://u:hidden@a,b:1,[::1]:2/", "redis+cluster://a:6379,b:1,[::1]:2/0"),
        ("REDISS+CLUSTER://a:7000/?cacert=%2Ffile", "rediss+cluster://a:7000/0"),
        ("redis://user:hid@den@h/1", "redis://h:6379/1"),
    ])
    func whatItIsCalled(_ url: String, _ expected: String) throws { #expect(try name(url) == expected) }

    /// A cluster's nodes name each other in this way.
    @Test(arguments: [
        ("h:1", "h:1"), ("[::1]:7000", "[::1]:7000"), ("::1:7000", "[::1]:7000"), ("h:65535", "h:65535"), ("h:0", nil),
        ("h:65536", nil), ("h:", nil), ("h", nil), (":7000", nil),
    ])
    func thePlaceOfANode(_ text: String, _ expected: String?) {
        let place = Array(text.utf8).withUnsafeBytes { RedisPlace(named: $0[...]) }
        #expect(place.map { String(decoding: $0.name.utf8, as: UTF8.self) } == expected)
    }

    @Test(arguments: [
        ("redis://h", nil, nil),
        ("redis://@h", nil, nil),
        ("redis://:@h", nil, nil),
        ("redis://u@h", "u", nil),
        ("redis://u:@h", "u", nil),
        ("redis://:p@h", nil, "p"),
        ("redis://u:p:q@h", "u", "p:q"),
        ("redis://u%3A:p%40%2f@h", "u:", "p@/"),
        ("redis://u+v:a+b@h", "u+v", "a+b"),
        ("redis+unix://u:p@/s", "u", "p"),
    ])
    func asWhom(_ url: String, _ user: String?, _ password: String?) throws {
        let read = try address(url)
        #expect(read.user.map { String(decoding: $0, as: UTF8.self) } == user)
        #expect(read.password.map { String(decoding: $0.bytes, as: UTF8.self) } == password)
    }

    @Test(arguments: [
        ("localhost", "unknown scheme"), ("", "unknown scheme"), ("redis://", "no host"),
        ("redis://:1", "no host"), ("redis://[]", "no host"), ("redis://[::1", "] after an IPv6 address"),
        ("redis://[::1]x", "port: expected"), ("redis://h:", "port: expected"), ("redis://h:0", "port: expected"),
        ("redis://h:0000065535", "port: expected"), ("redis://h:+1", "port: expected"),
        ("redis://h/65536", "database: expected"), ("redis://h/1/", "database: expected"),
        ("redis://h?db=1", "? after the host"), ("redis://h#", "# after the host"), ("unix://", "no absolute path"),
        ("unix:///", "no absolute path"), ("unix://path", "no absolute path"), ("unix:///p?d=1", "after the path"),
        ("unix:///p#1", "after the path"), ("unix:///p?db=", "database: expected"),
        ("redis+cluster://", "no host"), ("redis+cluster://a,", "no host"),
        ("redis+cluster://a,,b", "no host"), ("redis+cluster://a,b:x", "port: expected"),
        ("redis+cluster://a/1", "only database 0"), ("redis+cluster://a/0/", "database: expected"),
        ("redis+cluster://a?cacert=c", "? after the host"), ("rediss://h?", "expected name=value"),
        ("rediss://h?cacert", "expected name=value"), ("rediss://h?cacert=", "expected name=value"),
        ("rediss://h?cacert=%zz", "expected %"), ("rediss://h?ca=c", "expected cacert"),
        ("rediss://h?cacert=c&cacert=d", "each once"), ("rediss://h?cert=c", "together"),
        ("rediss://h?key=hid", "together"), ("rediss://h#", "# after the host"),
        ("redis://hid%4:p@h", "user: expected %"),
        ("redis://u:hid%gg@h", "password: expected %"),
        ("redis://u:hid%00@h", "password: expected %"), ("redis://h%", "host: expected %"),
        ("unix:///%0", "path: expected %"), ("redis://u:hid/den@h", "port: expected"),
    ])
    func whatIsRefused(_ url: String, _ words: String) {
        let failure = #expect(throws: Failure.self) { try address(url) }
        let message = String(decoding: failure?.message.utf8 ?? [], as: UTF8.self)
        #expect(failure?.status == .invalidArgument)
        #expect(message.hasPrefix("url: ") && message.contains(words), "\(message)")
        #expect(!message.contains("hid"), "\(message)")
    }

    @Test func nodesOfAClusterAreCounted() throws {
        let most = (0..<64).map { "h\($0)" }.joined(separator: ",")
        #expect(try address("redis+cluster://" + most).places.count == 64)
        #expect(throws: Failure.self) { try address("redis+cluster://\(most),h") }
    }

    @Test func pathsAreAsLongAsASocketHasRoomFor() throws {
        let longest = "/" + String(repeating: "p", count: 106)
        #expect(try name("unix://" + longest) == "redis+unix://\(longest)?db=0")
        #expect(throws: Failure.self) { try address("unix://\(longest)p") }
        #expect(throws: Failure.self) { try address("unix://\(longest)%70") }
    }

    /// Every text of a few marks is read or refused, and its password is never told.
    @Test func noTextIsTooStrange() {
        let parts = [
            "redis://", "unix://", "rediss://", "+cluster", "s3cret", "@", ":", "/", "?", "#", "[", "]", "%", "%41",
            "%00", "1", "?db=", ",", "?cacert=", "&",
        ]
        var chance = SystemRandomNumberGenerator()
        for _ in 0..<20_000 {
            let url =
                ["redis://", "rediss://", "redis+cluster://"][Int.random(in: 0..<3)] + "u:s3cret"
                + (0..<6).map { _ in parts.randomElement(using: &chance) ?? "" }.joined() + "@h"
            do throws(Failure) {
                _ = try address(url)
            } catch {
                let message = String(decoding: error.message.utf8, as: UTF8.self)
                #expect(!message.contains("s3cret"), "\(url): \(message)")
            }
        }
    }
}
