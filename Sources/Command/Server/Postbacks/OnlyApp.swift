import SKANCommandRows
package import SKANCore
package import SKANPostbackReceiving
import SKANPostbackVerification
import SKANSystem

/// Rules, "Models of apps": the one app whose postbacks are decoded by models that were given without naming apps. It
/// is the app of the first postback that such models decode. Thread-safe.
package final class OnlyApp: @unchecked Sendable {
    private let lock = Lock()
    private var only: Int64?
    /// The apps, at most `mostNamed`, that messages have named because their postbacks stay undecoded.
    private var named: [Int64] = []

    private static var mostNamed: Int { 100 }

    package init() {}

    /// Returns the reason why a postback must not be decoded: a model given without naming apps already decodes
    /// postbacks of another app. Returns nil if the postback may be decoded or is not to be counted.
    package func problem(with reception: Reception, _ configuration: ServerConfiguration) -> Message? {
        guard reception.isToBeCounted, let unsaid = configuration.unsaidModel else { return nil }
        guard let app = configuration.receiver.appWithoutOwnModels(reception.postback) else { return nil }
        guard let first = other(than: app) else { return nil }
        return "\(unsaid): \(twoApps(first, app, appForms))"
    }

    /// Whether a message should name this app: true once for each app, at most `mostNamed` times, and false for nil.
    func isNew(_ app: Int64?) -> Bool {
        lock.hold {
            guard let app, !named.contains(app), named.count < OnlyApp.mostNamed else { return false }
            named.append(app)
            return true
        }
    }

    private func other(than app: Int64) -> Int64? {
        lock.hold {
            let first = only ?? app
            only = first
            return first == app ? nil : first
        }
    }
}
