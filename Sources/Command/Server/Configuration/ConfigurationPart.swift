import SKANCommandOutbox
import SKANCore
import SKANSystem

/// A part of a server's configuration, with its name in the log. A changed digest means changed contents.
struct ConfigurationPart: Sendable {
    let name: Message
    let digest: SHA256
}

/// The maximum number of changes that a log line names.
private var mostNamed: Int { 50 }

extension [ConfigurationPart] {
    /// Describes the changes since an older configuration: "2 changes, 5 parts: changed --key file:k, added partner
    /// example/p".
    func changes(since old: [ConfigurationPart]) -> Message {
        var changes: [Message] = []
        for part in self {
            guard let before = old.first(where: { $0.name.utf8 == part.name.utf8 }) else {
                changes.append("added \(part.name)")
                continue
            }
            if before.digest != part.digest { changes.append("changed \(part.name)") }
        }
        for part in old where !contains(where: { $0.name.utf8 == part.name.utf8 }) {
            changes.append("gone \(part.name)")
        }
        if changes.isEmpty { return "nothing changed in \(count) parts" }
        var text: Message = "\(changes.count) changes, \(count) parts: \(changes[0])"
        for change in changes.dropFirst().prefix(mostNamed - 1) { text = "\(text), \(change)" }
        return changes.count > mostNamed ? "\(text), and \(changes.count - mostNamed) more" : text
    }

    mutating func add(_ networks: Networks) {
        for network in networks.list {
            let name = Message(utf8: network.name)
            append(ConfigurationPart(name: "network \(name)", digest: network.adNetworksDigest))
            append(ConfigurationPart(name: "tokens of \(name)", digest: network.tokensDigest))
            for partner in network.partners {
                append(ConfigurationPart(name: "partner \(Message(utf8: partner.id))", digest: partner.digest))
            }
        }
    }
}
