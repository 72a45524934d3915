package import SKANCommandRows
package import SKANCommandStores
package import SKANCore
import SKANPostbackReceiving
import SKANPostbackVerification
package import SKANSystem

/// The conversion models that decode postbacks.
package struct PartnerModels: Sendable {
    private let models: [(model: ConversionModel, apps: ModelApps)]

    /// `apps`: the apps whose postbacks the model may decode.
    package init(_ models: [(model: ConversionModel, apps: ModelApps)]) { self.models = models }

    func rowSources(_ campaigns: Campaigns) -> RowSources {
        var sources = RowSources()
        sources.campaigns = campaigns
        for (model, apps) in models { sources.models.addForRows(model, of: apps) }
        return sources
    }
}

extension PartnerURL {
    /// Makes the URL that reports a postback to the partner of an entry, from the postback's record. Throws if the
    /// record cannot be read or the postback's model was not given; a server with that model can still report the
    /// postback.
    @export(interface)
    package func message(
        for entry: OutboxEntryName, record: Bytes, _ sources: RowSources
    ) throws(Failure) -> CText {
        let row: PostbackRow
        do throws(Failure) {
            row = try PostbackRow(of: record, for: entry, sources)
        } catch {
            throw Failure(error.status, "its postback's record: \(error.message)")
        }
        if row.lacksItsModel, case .text(let model) = row[.model] {
            throw Failure(.modelUnknown, "the model \(Message(utf8: model)) was not given, so it cannot be decoded")
        }
        return filled(PartnerValues(id: entry.id, network: entry.network, row: row))
    }
}

/// Makes the body of a POST to a partner: the postback's row as JSON.
func partnerRow(of record: Bytes, for entry: OutboxEntryName, _ sources: RowSources) throws(Failure) -> [UInt8] {
    try PostbackRow(of: record, for: entry, sources).json().array
}

extension PostbackRow {
    fileprivate init(of record: Bytes, for entry: OutboxEntryName, _ sources: RowSources) throws(Failure) {
        let (told, body) = try PostbackRecord.read(record)
        let postback = VerifiedPostback(restoring: body, told.verdict)
        self = entry.postback.withUnsafeBytes { PostbackRow(told, of: postback, under: $0, sources) }
    }
}
