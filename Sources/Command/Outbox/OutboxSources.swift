internal import SKANCommandReport
internal import SKANSystem

/// Whom an outbox tells, and what decodes what it tells them. It does not change; another takes its place.
final class OutboxSources {
    let networks: Networks
    let rows: RowSources

    init(_ networks: Networks, _ models: PartnerModels, _ campaigns: Campaigns) {
        self.networks = networks
        rows = models.rowSources(campaigns)
    }
}
