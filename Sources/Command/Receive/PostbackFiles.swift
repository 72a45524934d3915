package import SKANCommandOutput
package import SKANCommandServer
import SKANCommandStores
import SKANCore
import SKANPostbackReceiving
package import SKANSystem

/// The files to receive postbacks from, and how.
package struct PostbackFiles {
    /// The paths of files and folders; "-" is standard input.
    package var paths: [CText] = []
    package var options = PostbackOptions()
    /// The files with models and keys.
    package var sources: [ConfigurationSource] = []
    /// The member of each postback with its arrival time; nil if they arrive now.
    package var receivedField: [UInt8]?

    package init() {}

    /// Receives the postbacks of all files into the store with this URL.
    @export(interface)
    package func receive(into url: CText) throws(CommandEnd) -> ExitCode {
        let now = ServerClock.system.microseconds
        let configuration = try options.configuration(of: sources)
        let store = try OpenStore.open(url, for: .fills)
        let field = receivedField.map { ArrivalField($0, now: now) }
        let run = ReceiveRun(store, ArrivalReader(configuration: configuration, field: field, now: now))
        let code = run.receive(paths)
        if run.hasCounted && !configuration.receiver.decodesInstalls { complainPlainly("skan: \(undecodedNotice)") }
        return code
    }
}
