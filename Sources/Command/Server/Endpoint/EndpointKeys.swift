package import SKANCommandOutbox
package import SKANCore
package import SKANSystem

/// The keys that requests carry as `a`: of an app, or of every app that has none of its own.
package struct EndpointKeys: Sendable {
    private var keys: [(app: [UInt8]?, token: NetworkToken)] = []

    package init() {}

    package static var most: Int { 1024 }

    package var isEmpty: Bool { keys.isEmpty }
    package var isFull: Bool { keys.count == EndpointKeys.most }

    /// `source`: env:NAME or file:PATH. One more of an app is good as well, until all have the new one. Throws, and says
    /// why, where there is none.
    package mutating func add(_ source: [UInt8], for app: [UInt8]?) throws(Failure) {
        keys.append((app, try NetworkToken.read(source)))
    }

    /// Whether a request of an app may be answered. Which byte of a key is wrong shows in no time.
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
