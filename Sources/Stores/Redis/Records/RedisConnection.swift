internal import SKANCore
internal import SKANStorePool
internal import SKANSystem

/// A connection of the store's pool: made, and known to the server as its user, when a call first needs it, and made
/// anew where it was lost. Used by one thread at a time.
package final class RedisConnection {
    package struct Settings: Sendable {
        let address: RedisAddress
        /// Of keys.
        let prefix: [UInt8]
        /// In milliseconds, of a call and of connecting within it.
        let timeout, connectTimeout: UInt32
        /// 0: records are kept.
        let expireDays: UInt32
        let allowsEviction: Bool
    }

    let settings: Settings
    private let wire = RedisWire()
    package var isBroken = false
    package var deadline: Int64

    init(_ settings: Settings) {
        self.settings = settings
        deadline = millisecondsNow() + Int64(settings.timeout)
    }

    package func end() { wire.close() }

    /// Runs an exchange. Where nothing of what is left can have been done, as the connection was lost before the next
    /// command was whole in the system's hands, and always where `reads`, the rest is tried once more on a new
    /// connection. Where it throws, `progress` tells how far it came.
    func run(
        _ progress: inout RedisProgress, reads: Bool, _ write: WriteCommand, _ take: TakeReply
    ) throws(RedisTrouble) {
        progress.sent = progress.answered
        var isSecond = false
        while true {
            if wire.isConnected && !wire.isQuiet { wire.close() }
            if !wire.isConnected { try connect() }
            do throws(RedisTrouble) {
                return try wire.exchange(&progress, until: deadline, write, take)
            } catch {
                wire.close()
                let mayBeDone = !reads && progress.sent > progress.answered
                if error.isLate || isSecond || mayBeDone { throw error }
                progress.sent = progress.answered
                isSecond = true
            }
        }
    }

    // MARK: Connecting

    private func connect() throws(RedisTrouble) {
        let latest = min(millisecondsNow() + Int64(settings.connectTimeout), deadline)
        do throws(RedisTrouble) {
            try wire.connect(settings.address.place, by: latest)
            try greet(latest)
        } catch {
            wire.close()
            throw error
        }
    }

    private func greet(_ latest: Int64) throws(RedisTrouble) {
        let steps = RedisGreeting.steps(settings.address)
        var progress = RedisProgress(count: steps.count)
        var refusal: Message?
        try wire.exchange(&progress, until: latest) { index, out in
            steps[index].write(to: &out)
        } _: { index, reply in
            if refusal == nil { refusal = steps[index].refusal(reply) }
        }
        if let refusal { throw RedisTrouble(refusal) }
        if !wire.isConnected { throw RedisWire.tooManyAnswers }
    }
}
