package import SKANCore
import SKANSystem

/// The apps whose postbacks a model decodes, as an option names them. Rules, "Models of apps".
package enum ModelApps: Sendable {
    /// No apps were named, so the model decodes the postbacks of one app at most.
    case unsaid
    /// The model decodes the postbacks of every app that has no models of its own.
    case any
    /// The model decodes the postbacks of the apps with these App Store ids.
    case these([Int64])

    /// Parses "any", or ids separated by commas; nil for any other text.
    package init?(_ text: some Collection<UInt8>) {
        if text.elementsEqual(("any" as StaticString).bytes) {
            self = .any
            return
        }
        var apps: [Int64] = []
        for part in text.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
            guard let app = wholeNumber(ofDigits: [UInt8](part)), app > 0 else { return nil }
            if !apps.contains(app) { apps.append(app) }
        }
        self = .these(apps)
    }

    /// The App Store ids of the apps; an element that is nil stands for all apps without models of their own.
    package var each: [Int64?] {
        if case .these(let apps) = self { apps.map { .some($0) } } else { [nil] }
    }

    package var isUnsaid: Bool {
        if case .unsaid = self { true } else { false }
    }

    package func may(decode app: Int64) -> Bool {
        if case .these(let apps) = self { apps.contains(app) } else { true }
    }
}

/// The message for a model that would decode postbacks of two apps although no apps were named for it. `form`: the form
/// of the option that names the app, with APP in place of the id.
package func twoApps(_ one: Int64, _ other: Int64, _ form: StaticString) -> Message {
    """
    one model would decode postbacks of two apps, \(min(one, other)) and \(max(one, other)): say which app it is of \
    by \(form), where APP is an id in the App Store, several with commas, or "any" for every app without a model of \
    its own
    """
}
