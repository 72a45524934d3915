import SKANCommandStores
import SKANCore
import SKANHTTPClient
import SKANSystem

/// An attempt to report an entry to its partner, from the moment the entry is due.
final class OutboxAttempt {
    let known: DueEntry
    let name: OutboxEntryName
    let sources: OutboxSources
    /// The entry's partner; nil if it is not in the file of networks.
    let partner: Partner?
    /// The entry as it was loaded, with the changes that this attempt has made since.
    var entry: OutboxEntry
    var version: UInt64 = 0
    var url = CText([])
    /// nil for a GET.
    var body: [UInt8]?
    var outcome: HTTPOutcome?

    init(_ known: DueEntry, _ name: OutboxEntryName, _ sources: OutboxSources) {
        self.known = known
        self.name = name
        self.sources = sources
        partner = sources.networks.partner(name.partner, of: name.network)
        entry = OutboxEntry(.waiting, attempts: 0, created: 0, due: 0)
    }
}
