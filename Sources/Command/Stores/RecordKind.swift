package import SKANSystem
import SKANCore

/// The kinds of records that a store may hold.
///
/// A record's first bytes tell its kind: an install begins with its format, 1; a postback with "skpb"; an outbox
/// entry with {"outbox":; a model with "skmd". Any other record is damaged or newer, and its key tells the kind.
package enum RecordKind: Int, CaseIterable, Sendable {
    case install
    /// A counted postback.
    case postback
    /// A postback that was refused and not counted.
    case refused
    /// An entry of the outbox: a postback to report to a partner.
    case outbox
    /// A conversion model that was in use when the server, skan serve, first saw some of its users.
    case model

    package init(of record: Bytes, under key: Bytes) {
        if record.first == RecordFormat.current {
            self = .install
        } else if record.begins(with: "{\"outbox\":") {
            self = .outbox
        } else if StoredModel.begins(record) {
            self = .model
        } else if record.begins(with: "skpb") {
            self = isPostbackKey(key, refusedPrefix) ? .refused : .postback
        } else {
            self = RecordKind(meantBy: key)
        }
    }

    /// The prefix of all keys of this kind; nil for installs, whose keys are their install ids.
    package var prefix: StaticString? {
        switch self {
        case .install: nil
        case .postback: countedPrefix
        case .refused: refusedPrefix
        case .outbox: OutboxEntryName.prefix
        case .model: StoredModel.prefix
        }
    }

    private init(meantBy key: Bytes) {
        if isPostbackKey(key, countedPrefix) {
            self = .postback
        } else if isPostbackKey(key, refusedPrefix) {
            self = .refused
        } else if StoredModel.isKey(key) {
            self = .model
        } else {
            self = OutboxEntryName(key) == nil ? .install : .outbox
        }
    }

    /// The reason why a record of this kind cannot have this key; nil if it can.
    package func nameProblem(_ key: Bytes) -> StaticString? {
        let meant = RecordKind(meantBy: key)
        if meant == self { return nil }
        switch self {
        case .install:
            switch meant {
            case .outbox: return "an install under the name of an outbox entry"
            case .model: return "an install under the name of a model"
            default: return "an install under the name of a postback"
            }
        case .model: return "a model is under model/ and the 64 hexadecimal digits of its version"
        case .outbox: return "an outbox entry is under outbox/, its postback, network and partner"
        case .postback, .refused: return "a postback is under postback/ or refused/ and 64 hexadecimal digits"
        }
    }
}

private var countedPrefix: StaticString { "postback/" }
private var refusedPrefix: StaticString { "refused/" }

private func isPostbackKey(_ key: Bytes, _ prefix: StaticString) -> Bool {
    key.begins(with: prefix) && PostbackDigits.areAll(of: key.dropFirst(prefix.utf8CodeUnitCount))
}

// MARK: Words

extension RecordKind {
    /// "a postback" or "an outbox entry".
    package var name: StaticString {
        switch self {
        case .install: "an install"
        case .postback: "a postback"
        case .refused: "a refused postback"
        case .outbox: "an outbox entry"
        case .model: "a model"
        }
    }

    /// "postback" for 1, "postbacks" for 2.
    func noun(of count: UInt64) -> StaticString {
        switch self {
        case .install: count == 1 ? "install" : "installs"
        case .postback: count == 1 ? "postback" : "postbacks"
        case .refused: count == 1 ? "refused postback" : "refused postbacks"
        case .outbox: count == 1 ? "outbox entry" : "outbox entries"
        case .model: count == 1 ? "model" : "models"
        }
    }

    /// Advice that names the subcommands for records of this kind.
    package var advice: StaticString {
        switch self {
        case .install: "skan show, export, import and purge are for installs"
        case .postback, .refused: "skan report and skan postbacks are for postbacks"
        case .outbox: "skan outbox lists outbox entries"
        case .model: "skan serve keeps the models that its users began with"
        }
    }
}
