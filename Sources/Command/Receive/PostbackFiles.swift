package import SKANCommandOutput
package import SKANCommandServer
internal import SKANCommandStores
internal import SKANCore
internal import SKANPostbackReceiving
package import SKANSystem

/// What is received from files.
package struct PostbackFiles {
    /// Files, folders, "-".
    package var paths: [CText] = []
    package var options = PostbackOptions()
    /// Models and keys.
    package var sources: [ConfigurationSource] = []
    /// The member of each postback that says when it arrived; nil: they arrive now.
    package var receivedField: [UInt8]?

    /// Strangers send nothing here, so hours have no budgets.
    package init() {
        options.refused.perHour = .max
        options.refused.bytesPerHour = .max
    }

    /// Receives all of them.
    package func receive(into url: CText) throws(CommandEnd) -> ExitCode {
        let now = ServerClock.system.microseconds
        let receiver = try options.receiver(of: sources)
        let store = try OpenStore.open(url, for: .fills)
        let field = receivedField.map { ArrivalField($0, now: now) }
        return ReceiveRun(store, ArrivalReader(receiver: receiver, field: field, now: now)).receive(paths)
    }
}
