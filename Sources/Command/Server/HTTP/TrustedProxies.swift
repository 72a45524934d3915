import SKANCore
import SKANSystem

/// The proxies whose X-Forwarded-For is trusted.
package struct TrustedProxies: Sendable {
    private var networks: [(address: ClientAddress, bits: Int)] = []
    private var trustsUnixSockets = false

    package init() {}

    package static var most: Int { 64 }

    package var isEmpty: Bool { networks.isEmpty && !trustsUnixSockets }

    /// Adds "10.0.0.0/8", "2001:db8::/32", a single address, or "unix:" for clients of Unix sockets. Returns false if
    /// the text is invalid, or there are too many.
    package mutating func add(_ text: [UInt8]) -> Bool {
        if text.elementsEqual(("unix:" as StaticString).bytes) {
            trustsUnixSockets = true
            return true
        }
        let parts = text.split(separator: UInt8(ascii: "/"), maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, networks.count < TrustedProxies.most else { return false }
        guard let address = [UInt8](first).withUnsafeBytes({ ClientAddress($0) }) else { return false }
        let longest = address.isFour ? 32 : 128
        var bits = longest
        if parts.count == 2 {
            guard let given = length(parts[1]), given <= longest else { return false }
            bits = given
        }
        networks.append((address, 128 - longest + bits))
        return true
    }

    func contains(_ address: ClientAddress) -> Bool {
        networks.contains { address.begins(with: $0.address, bits: $0.bits) }
    }

    /// Returns the client that sent a request over a peer's connection. If the peer is a trusted proxy, the client is
    /// the last address in X-Forwarded-For that is not a trusted proxy's, since each proxy appends the address of its
    /// own client. Anything before that address, and anything that is not an address, is untrusted input. A peer
    /// without an address is the client of a Unix socket.
    func client(behind peer: ClientAddress?, _ head: RequestHead) -> ClientAddress? {
        guard peer.map({ contains($0) }) ?? trustsUnixSockets else { return peer }
        var nearest = peer
        var told: [Bytes] = []
        _ = head.forEach { name, value in if name.isName("x-forwarded-for") { told.append(value) } }
        while var list = told.popLast() {
            while !list.isEmpty {
                let start = list.lastIndex(of: UInt8(ascii: ",")).map { $0 + 1 } ?? 0
                guard let address = address(Bytes(rebasing: list[start...])) else { return nearest }
                if !contains(address) { return address }
                nearest = address
                list = Bytes(rebasing: list.prefix(max(start - 1, 0)))
            }
        }
        return nearest
    }
}

private func length(_ digits: ArraySlice<UInt8>) -> Int? {
    guard 1...3 ~= digits.count else { return nil }
    var number = 0
    for digit in digits {
        guard 0x30...0x39 ~= digit else { return nil }
        number = number * 10 + Int(digit - 0x30)
    }
    return number
}

/// Parses an address. Some proxies add the port: "192.0.2.1:80", "[2001:db8::1]:80".
private func address(_ part: Bytes) -> ClientAddress? {
    let text = trimmed(part)
    if let address = ClientAddress(text) { return address }
    if text.first == UInt8(ascii: "["), let end = text.firstIndex(of: UInt8(ascii: "]")) {
        return ClientAddress(Bytes(rebasing: text[1..<end]))
    }
    return text.firstIndex(of: UInt8(ascii: ":")).flatMap { ClientAddress(Bytes(rebasing: text[..<$0])) }
}
