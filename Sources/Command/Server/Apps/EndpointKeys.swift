import SKANCommandOutbox
import SKANCore
import SKANSystem

/// The keys that clients send in the query item `a`. Each key is for one app, or for every app without a key of its
/// own.
package struct EndpointKeys: Sendable {
    private var keys: [(app: [UInt8]?, token: NetworkToken)] = []

    package init() {}

    package static var most: Int { 1024 }

    var isEmpty: Bool { keys.isEmpty }

    /// An app may have several keys, so that an old one stays valid until all clients have the new one.
    mutating func add(_ key: NetworkToken, for app: [UInt8]?) { keys.append((app, key)) }

    /// The time taken does not reveal which byte of a key is wrong.
    func admits(_ app: [UInt8]?, _ key: Bytes) -> Bool {
        let given = NetworkToken(key)
        let hasItsOwn = keys.contains { $0.app != nil && $0.app == app }
        var fits = false
        for key in keys where key.app == (hasItsOwn ? app : nil) {
            let isSame = key.token.equals(given)
            fits = fits || isSame
        }
        return fits
    }
}
