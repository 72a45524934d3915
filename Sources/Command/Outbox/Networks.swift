package import SKANSystem

/// The ad networks that postbacks come from, and the partners that are told of theirs.
package struct Networks: Sendable {
    package let list: [Network]

    package init(_ list: [Network]) { self.list = list }

    /// Of all networks.
    package var partnerCount: Int { list.reduce(0) { $0 + $1.partners.count } }

    /// The network of this name, if the token is one of its own. A name that there is not takes as long as a wrong
    /// token.
    package func admitted(_ name: Bytes, token: Bytes) -> Network? {
        var found = Network.nobody
        for network in list where network.name.elementsEqual(name) { found = network }
        return found.hasToken(token) ? found : nil
    }

    /// The network whose ad network id this is.
    package func network(ofAdNetwork id: [UInt8]) -> Network? { list.first { $0.has(id) } }

    package func partner(_ name: [UInt8], of network: [UInt8]) -> Partner? {
        list.first { $0.name == network }?.partners.first { $0.name == name }
    }
}

package final class Network: Sendable {
    package let name: [UInt8]
    /// The ad network ids whose postbacks are its own; one at least.
    package let adNetworks: [[UInt8]]
    private let tokens: [NetworkToken]
    package let partners: [Partner]

    package static var mostPartners: Int { 16 }

    package init(name: [UInt8], adNetworks: [[UInt8]], tokens: [NetworkToken], partners: [Partner]) {
        self.name = name
        self.adNetworks = adNetworks
        let unused = max(0, NetworkToken.most - tokens.count)
        self.tokens = tokens + [NetworkToken](repeating: .none, count: unused)
        self.partners = partners
    }

    package func has(_ adNetwork: [UInt8]) -> Bool { adNetworks.contains(adNetwork) }

    /// Whatever the bytes are, it takes equally long.
    fileprivate func hasToken(_ text: Bytes) -> Bool {
        let given = NetworkToken(text)
        var fits = false
        for token in tokens {
            let isSame = token.equals(given)
            fits = fits || isSame
        }
        return fits && !text.isEmpty
    }

    /// What an unknown name is compared with.
    fileprivate static let nobody = Network(name: [], adNetworks: [], tokens: [], partners: [])
}

package struct Partner: Sendable {
    package let name: [UInt8]
    package let url: PartnerURL
    /// It is called by POST, with the postback's row; else by GET.
    package let takesRow: Bool
    /// Among all partners of all networks.
    package let index: Int

    package init(name: [UInt8], url: PartnerURL, takesRow: Bool = false, index: Int) {
        self.name = name
        self.url = url
        self.takesRow = takesRow
        self.index = index
    }
}
