package import SKANCommandOutput
package import SKANCommandStores
import SKANCore
import SKANSystem

/// The counted postbacks of a store, one row each, in the order of the store's listing.
package struct PostbackRows {
    /// The range of arrival times in Unix seconds; `until` is excluded, and nil means no bound.
    package var since, until: Int64?
    /// The App Store id; nil prints the postbacks of all apps.
    package var app: Int64?
    package var sources = RowSources()
    /// Whether to write CSV instead of one line of JSON for each postback.
    package var isCSV = false

    package init() {}

    /// Prints the rows; only some of them are in memory at a time.
    @export(interface)
    package func print(_ store: OpenStore) throws(CommandEnd) -> ExitCode {
        let postbacks = StoredPostbacks(listsEachKeyOnce: store.listsEachKeyOnce)
        var csv = CSVWriter()
        if isCSV { StandardOutput.write(PostbackRow.writeHeader(to: &csv)) }
        // The rows of one batch, printed together.
        var lines = ByteBuffer(capacity: 65_536)
        var refusal: CommandEnd?
        let walk = StoredPostbacks.walk(store, printsData: true) { batch in
            postbacks.read(batch) { postback in
                let observed = ObservedPostback(postback.record, of: postback.postback, sources.models)
                guard postback.kind == .postback, observed.isCounted, isWanted(observed), refusal == nil else { return }
                do throws(CommandEnd) { try sources.models.check(observed) } catch {
                    refusal = error
                    return
                }
                let row = PostbackRow(postback.record, of: postback.postback, observed, under: postback.key, sources)
                if isCSV {
                    row.csv(&csv).utf8.withUnsafeBytes { lines.append($0) }
                } else {
                    lines.append(row.json())
                    lines.append("\n")
                }
            }
            if refusal != nil { return false }
            lines.withBytes { StandardOutput.write($0) }
            lines.removeAll()
            return true
        }
        if let refusal { throw refusal }
        return try postbacks.end(walk, store, what: "postbacks", it: "these rows")
    }

    private func isWanted(_ observed: borrowing ObservedPostback) -> Bool {
        let isOfApp = app == nil || observed.app == app
        return isOfApp && observed.received >= since ?? .min && observed.received < until ?? .max
    }
}
