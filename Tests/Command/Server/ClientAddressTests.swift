import SKANCore
import SKANSystem
import Testing

@testable import SKANCommandServer

@Suite struct ClientAddressTests {
    private func address(_ text: String) -> ClientAddress? { Array(text.utf8).withUnsafeBytes { ClientAddress($0) } }

    @Test func anAddressOfIPv4IsThatOfIPv6WhichMeansIt() {
        #expect(address("192.0.2.1") == address("::ffff:192.0.2.1"))
        #expect(address("192.0.2.1") != address("192.0.2.2"))
        #expect(address("192.0.2.1")?.isFour == true)
        #expect(address("2001:db8::1")?.isFour == false)
    }

    @Test func aNameIsNoAddress() {
        for text in ["", "localhost", "192.0.2", "192.0.2.1 ", "1.2.3.4.5", "::g", "192.0.2.1\0", "unknown"] {
            #expect(address(text) == nil)
        }
    }

    @Test func aClientOfIPv6HasANetworkOf64Bits() {
        #expect(address("2001:db8:1:2:3::4")?.client == address("2001:db8:1:2:ffff::1")?.client)
        #expect(address("2001:db8:1:2::")?.client != address("2001:db8:1:3::")?.client)
        #expect(address("192.0.2.1")?.client != address("192.0.2.2")?.client)
    }

    @Test(arguments: [
        ("192.0.2.77", "192.0.2.77", "192.0.2.0/24"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"), ("::1", "::1", "::/64"),
    ])
    func theLogTellsAllOfItOrItsNetworkOrNothing(_ text: String, _ full: String, _ net: String) {
        let address = address(text)
        #expect(address?.text(.full).map { String(decoding: $0.utf8, as: UTF8.self) } == full)
        #expect(address?.text(.net).map { String(decoding: $0.utf8, as: UTF8.self) } == net)
        #expect(address?.text(.none) == nil)
    }

    private func proxies(_ texts: String...) -> TrustedProxies {
        var proxies = TrustedProxies()
        for text in texts {
            let isTaken = proxies.add(Array(text.utf8))
            #expect(isTaken, "\(text)")
        }
        return proxies
    }

    @Test func aNetworkIsItsFirstBits() throws {
        let proxies = proxies("10.1.0.0/16", "192.0.2.7", "2001:db8::/33")
        for (text, isThere) in [
            ("10.1.255.1", true), ("10.2.0.1", false), ("192.0.2.7", true), ("192.0.2.6", false),
            ("2001:db8:7fff::1", true), ("2001:db8:8000::1", false), ("::ffff:10.1.2.3", true),
        ] {
            #expect(proxies.contains(try #require(address(text))) == isThere, "\(text)")
        }
        let all = self.proxies("0.0.0.0/0")
        #expect(all.contains(try #require(address("255.1.2.3"))))
        #expect(!all.contains(try #require(address("::1"))))
    }

    @Test func whatIsNoNetworkIsRefused() {
        var proxies = TrustedProxies()
        for text in ["", "/8", "10.0.0.0/33", "::/129", "10.0.0.0/", "10.0.0.0/x", "10.0.0.0/8/8", "here/8"] {
            let isTaken = proxies.add(Array(text.utf8))
            #expect(!isTaken, "\(text)")
        }
        let taken = (0...TrustedProxies.most).map { _ in proxies.add(Array("10.0.0.0/8".utf8)) }
        #expect(taken == [Bool](repeating: true, count: TrustedProxies.most) + [false])
    }

    private func client(_ peer: String, _ lines: String...) -> ClientAddress? {
        var head = Array("GET\0/\0HTTP/1.1\0\0Host\0 a\0\0".utf8)
        for line in lines { head += Array("X-Forwarded-For\0\(line)\0\0".utf8) }
        head += [0, 0]
        return head.withUnsafeBytes { head in
            RequestHead(head, targetLength: 1, versionStart: 6).flatMap { head in
                address(peer).flatMap { proxies("10.0.0.0/8").client(behind: $0, head) }
            }
        }
    }

    @Test func whoAsksIsTheLastThatIsNoProxy() {
        #expect(client("192.0.2.1", "198.51.100.1") == address("192.0.2.1"), "a stranger's word")
        #expect(client("10.0.0.1", "198.51.100.1") == address("198.51.100.1"))
        #expect(client("10.0.0.1", "6.6.6.6, 198.51.100.1,10.0.0.2 ,\t10.0.0.3") == address("198.51.100.1"))
        #expect(client("10.0.0.1", "6.6.6.6", "198.51.100.1", "10.0.0.2") == address("198.51.100.1"))
        #expect(client("10.0.0.1", "198.51.100.1:4711") == address("198.51.100.1"))
        #expect(client("10.0.0.1", "[2001:db8::1]:4711") == address("2001:db8::1"))
        #expect(client("10.0.0.1") == address("10.0.0.1"))
        #expect(client("10.0.0.1", "10.0.0.2, 10.0.0.3") == address("10.0.0.2"))
        #expect(client("10.0.0.1", "198.51.100.1, unknown, 10.0.0.3") == address("10.0.0.3"))
        #expect(client("10.0.0.1", "", ",") == address("10.0.0.1"))
    }
}
