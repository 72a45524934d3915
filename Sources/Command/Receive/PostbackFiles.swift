import SKANCommandOutbox
package import SKANCommandOutput
package import SKANCommandRows
package import SKANCommandServer
import SKANCommandStores
import SKANCore
import SKANPostbackReceiving
package import SKANSystem

/// The files to receive postbacks from, and the options for receiving them.
package struct PostbackFiles {
    /// The paths of files and folders; "-" is standard input.
    package var paths: [CText] = []
    package var options = PostbackOptions()
    /// The files with models and keys.
    package var sources: [ConfigurationSource] = []
    /// The name of the member that has a postback's time of arrival, or of the column if `columns` is given. nil if the
    /// postbacks arrive now, or if the file `columns` names that column.
    package var receivedField: [UInt8]?
    /// Whether the store's refused postbacks are judged again, instead of receiving postbacks from files.
    package var judgesRefused = false
    /// The reasons of refusal for which postbacks are judged again; empty for all.
    package var reasons: [RefusedReason] = []
    /// Whether partners are notified of refused postbacks that are now counted.
    package var tellsPartners = false
    /// The file that maps columns of rows to Apple's members; nil if the files have postbacks.
    package var columns: CText?

    package init() {}

    @export(interface)
    package func receive(into url: CText) throws(CommandEnd) -> ExitCode {
        let now = ServerClock.system.microseconds
        let map = try columnMap()
        let configuration = try options.configuration(of: sources)
        if judgesRefused { return try judgeRefused(url, configuration) }
        let store = try OpenStore.open(url, for: .fills)
        let field = receivedField.map { ArrivalField($0, now: now) }
        let rows = map.map { RowReader($0, now: now) }
        let reader = ArrivalReader(configuration: configuration, field: field, rows: rows, now: now)
        let run = ReceiveRun(store, reader, map)
        let code = run.receive(paths)
        tellUndecoded(configuration, hasCounted: run.hasCounted)
        return code
    }

    private func judgeRefused(_ url: CText, _ configuration: ServerConfiguration) throws(CommandEnd) -> ExitCode {
        // The store must exist. Opening it for removals first makes sure of that, because this creates nothing.
        let relaxed = try OpenStore.open(url, for: .removes)
        let store = try OpenStore.open(url, for: .fills)
        var filter = RefusedFilter()
        filter.reasons = reasons
        let partners = tellsPartners ? OutboxPreparation(store) : nil
        let replay = RefusedReplay(store, relaxed: relaxed, configuration, partners)
        let code = try replay.judge(filter)
        tellUndecoded(configuration, hasCounted: replay.hasCounted)
        return code
    }

    private func tellUndecoded(_ configuration: ServerConfiguration, hasCounted: Bool) {
        if hasCounted && !configuration.receiver.decodesInstalls { complainPlainly("skan: \(undecodedNotice)") }
    }

    /// Reads the map of the rows' columns; nil if the files have postbacks. If `receivedField` is given, it replaces
    /// the map's column for the time of arrival.
    private func columnMap() throws(CommandEnd) -> ColumnMap? {
        guard let columns else { return nil }
        var map = try ColumnMap.read(columns)
        if let receivedField { map.received = ColumnChoice(receivedField) }
        return map
    }
}
