import SKANCore

/// Rules, "Forget", "Unknown saves": removes a record, whatever it holds.
package struct Removal {
    private var progress = WriteProgress(.remove)

    package init() {}

    /// The record was loaded; nil where there is none.
    package mutating func loaded(version: UInt64?) -> Step {
        guard let version else { return .done(.ok) }
        if let doubt = progress.doubt, version != doubt.version {
            return progress.failed(Failure(.storeUnknown, "the record is another one now"))
        }
        progress.begin(on: WriteBase(version: version, writeCount: 0))
        return progress.step
    }

    package mutating func loadFailed(_ message: Message) -> Step { progress.failed(Failure(.store, message)) }

    package mutating func removed(_ end: WriteEnd) -> Step { progress.ended(end, .ok) }
}
