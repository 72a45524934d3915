package import SKANCore
package import SKANSystem

/// The ad networks that postbacks come from, and the partners to which their postbacks are reported.
package struct Networks: Sendable {
    package let list: [Network]

    package init(_ list: [Network]) { self.list = list }

    package var partnerCount: Int { list.reduce(0) { $0 + $1.partners.count } }

    /// Returns the network with this name if the token is one of its tokens. An unknown name takes as long as a wrong
    /// token.
    package func admitted(_ name: Bytes, token: Bytes) -> Network? {
        var found = Network.nobody
        for network in list where network.name.elementsEqual(name) { found = network }
        return found.hasToken(token) ? found : nil
    }

    package func network(ofAdNetwork id: [UInt8]) -> Network? { list.first { $0.has(id) } }

    package func partner(_ name: [UInt8], of network: [UInt8]) -> Partner? {
        list.first { $0.name == network }?.partners.first { $0.name == name }
    }
}

package final class Network: Sendable {
    package let name: [UInt8]
    /// The network's ad network ids, at least one.
    package let adNetworks: [[UInt8]]
    private let tokens: [NetworkToken]
    package let partners: [Partner]
    /// A changed digest means changed ad network ids, or changed tokens.
    package let adNetworksDigest, tokensDigest: SHA256

    package static var mostPartners: Int { 16 }

    package init(name: [UInt8], adNetworks: [[UInt8]], tokens: [NetworkToken], partners: [Partner]) {
        self.name = name
        self.adNetworks = adNetworks
        let unused = max(0, NetworkToken.most - tokens.count)
        self.tokens = tokens + [NetworkToken](repeating: .none, count: unused)
        self.partners = partners
        adNetworksDigest = digest(adNetworks)
        tokensDigest = digest(tokens.map { $0.text })
    }

    package func has(_ adNetwork: [UInt8]) -> Bool { adNetworks.contains(adNetwork) }

    /// Whether a text is one of the network's tokens. Takes equally long for any text.
    fileprivate func hasToken(_ text: Bytes) -> Bool {
        let given = NetworkToken(text)
        var fits = false
        for token in tokens {
            let isSame = token.equals(given)
            fits = fits || isSame
        }
        return fits && !text.isEmpty
    }

    /// Stands for an unknown network, so that the token given with its name is compared, too.
    fileprivate static let nobody = Network(name: [], adNetworks: [], tokens: [], partners: [])
}

package struct Partner: Sendable {
    package let name: [UInt8]
    package let url: PartnerURL
    /// Whether the partner is called by POST with the postback's row; otherwise by GET.
    package let takesRow: Bool
    /// "network/partner", unique among the partners of all networks.
    package let id: [UInt8]
    /// A digest of the partner's URL and method, which shows whether they have changed.
    package let digest: SHA256

    package init(name: [UInt8], of network: [UInt8], url: PartnerURL, text: [UInt8], takesRow: Bool = false) {
        self.name = name
        self.url = url
        self.takesRow = takesRow
        id = network + [UInt8(ascii: "/")] + name
        digest = (text + [takesRow ? 1 : 0]).withUnsafeBytes { SHA256(of: $0) }
    }
}

/// None of the texts may contain a NUL.
private func digest(_ texts: [[UInt8]]) -> SHA256 {
    var all: [UInt8] = []
    for text in texts { all += text + [0] }
    return all.withUnsafeBytes { SHA256(of: $0) }
}
