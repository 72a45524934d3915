internal import SKANCore
internal import SKANPostbackVerification

/// Rules, "Receiving postbacks": the apps and ad networks whose postbacks are counted. A valid signature is not enough,
/// since Apple signs postbacks for anybody's ads and apps.
package struct PostbackScope: Sendable {
    /// Empty if any app is in scope.
    package let apps: [Int64]
    /// The networks' names, each ended by a NUL; empty for any ad network.
    private let adNetworks: [UInt8]

    /// The maximum number of apps, or of ad networks, in a scope. Comparing each postback with all of them takes less
    /// time than checking its signature.
    package static var most: Int { 1024 }

    package static var everything: PostbackScope { PostbackScope(apps: [], adNetworks: []) }

    /// The names of `adNetworks` each end with a NUL. Empty means any app or any ad network.
    package init(apps: [Int64], adNetworks: [UInt8]) {
        self.apps = apps
        self.adNetworks = adNetworks
    }

    @_optimize(size)
    @inline(never)
    func hasApp(of postback: VerifiedPostback) -> Bool {
        guard !apps.isEmpty else { return true }
        guard let app = postback.integer(.appID) else { return false }
        for each in apps where each == app { return true }
        return false
    }

    @_optimize(size)
    @inline(never)
    func hasAdNetwork(of postback: VerifiedPostback) -> Bool {
        guard !adNetworks.isEmpty else { return true }
        guard let name = postback.text(.adNetworkID) else { return false }
        return adNetworks.withUnsafeBytes { names in
            var rest = names[...]
            while let end = rest.firstIndex(of: 0) {
                if isSame(UnsafeRawBufferPointer(rebasing: rest[..<end]), name) { return true }
                rest = rest[(end &+ 1)...]
            }
            return false
        }
    }
}
