import SKANCommandModels
import SKANCommandOutbox
import SKANCommandOutput
import SKANCore
import SKANSystem

/// The networks that may read conversion models, with their keys and names of events.
struct SchemaReaders: Sendable {
    private var keys: [(network: [UInt8], token: NetworkToken)] = []
    private var maps: [(network: [UInt8], map: EventMap)] = []

    var isEmpty: Bool { keys.isEmpty }

    /// A network may have several keys, so that an old key works until the network uses the new one. A key belongs to
    /// one network only.
    mutating func add(_ token: NetworkToken, for network: [UInt8]) throws(CommandEnd) {
        let name = Message(utf8: network)
        guard isName(network) else {
            throw .complaint("--schema-key", "\(name): expected 1 to 64 letters, digits, \".\", \"_\" or \"-\"")
        }
        if keys.contains(where: { $0.network != network && $0.token.equals(token) }) {
            throw .complaint("--schema-key", "\(name): another network has this key too")
        }
        keys.append((network, token))
    }

    mutating func add(_ map: EventMap, for network: [UInt8]) throws(CommandEnd) {
        if maps.contains(where: { $0.network == network }) {
            throw .complaint("--schema-map", "\(Message(utf8: network)): expected at most one map for each network")
        }
        maps.append((network, map))
    }

    /// Throws if a network has a map but no key, since nobody would read the map. Called after all keys and maps are
    /// added.
    func check() throws(CommandEnd) {
        for (network, _) in maps where !keys.contains(where: { $0.network == network }) {
            throw .complaint("--schema-map", "\(Message(utf8: network)): expected --schema-key for this network too")
        }
    }

    /// Every key is compared fully, so that the time taken reveals nothing.
    func network(of key: Bytes) -> [UInt8]? {
        let given = NetworkToken(key)
        var found: [UInt8]?
        for entry in keys {
            let isSame = entry.token.equals(given)
            found = isSame ? entry.network : found
        }
        return found
    }

    func map(of network: [UInt8]) -> EventMap { maps.first { $0.network == network }?.map ?? EventMap() }
}

/// Whether a text can name a network in log lines and metric labels.
private func isName(_ text: [UInt8]) -> Bool {
    1...64 ~= text.count
        && text.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"): true
            default: false
            }
        }
}

/// Returns the SHA-256 of the map's document, which is empty if the network has no map.
func digest(of map: EventMap) -> SHA256 { map.document.withUnsafeBytes { SHA256(of: $0) } }
