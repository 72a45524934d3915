package import SKANCommandRows
package import SKANCore

/// A file or environment variable that an option names. Files are read at the start and again on SIGHUP.
package struct ConfigurationSource: Sendable {
    package enum Use: Sendable {
        /// A key of one app or, if nil, of every app without a key of its own.
        case key(app: [UInt8]?)
        /// A model that is served to this app or, if nil, to every app without a model of its own. If it is the only
        /// model for every app and no other model decodes postbacks, it also decodes the postbacks of `apps`.
        case model(app: [UInt8]?, apps: ModelApps = .unsaid)
        /// A model that decodes the postbacks of installs. `from`: the time from which it was in use, in Unix seconds.
        case installModel(ModelApps, from: Int64)
        /// A model that decodes the postbacks of re-engagements. `from`: the time from which it was in use, in Unix
        /// seconds.
        case reengagementModel(ModelApps, from: Int64)
        case networks
        /// A key with which a network may read models.
        case schemaKey(network: [UInt8])
        /// A file with a network's names of events.
        case schemaMap(network: [UInt8])
        case postbackKeys
    }

    /// The option as the user wrote it: "--model mixed.json".
    let option: Message
    let use: Use
    /// The path of a file; for a key, env:NAME or file:PATH.
    let text: [UInt8]

    package init(_ option: Message, _ use: Use, _ text: [UInt8]) {
        self.option = option
        self.use = use
        self.text = text
    }

    package var isNetworks: Bool {
        if case .networks = use { true } else { false }
    }

    package var isPostbackKeys: Bool {
        if case .postbackKeys = use { true } else { false }
    }

    package var isSchemaKey: Bool {
        if case .schemaKey = use { true } else { false }
    }

    package var isKey: Bool {
        if case .key = use { true } else { false }
    }
}

extension [ConfigurationSource] {
    package var keyCount: Int { count { $0.isKey } }
    package var schemaKeyCount: Int { count { $0.isSchemaKey } }
}
