package import SKANCore
internal import SKANSystem

package struct PoolSettings {
    /// The store's name in messages.
    let name: Message
    /// The maximum number of connections, at least 1.
    let limit: UInt32
    /// The longest time that a caller waits for a connection, in milliseconds.
    let timeout: UInt32
    /// Whether only one caller at a time may write.
    let hasOneWriter: Bool

    package init(name: Message, limit: UInt32, timeoutMilliseconds: UInt32, hasOneWriter: Bool) {
        self.name = name
        self.limit = limit
        timeout = timeoutMilliseconds
        self.hasOneWriter = hasOneWriter
    }
}

/// The connections of one store in a process. Their number is limited, and each is lent to one caller at a time. They
/// are closed before a fork.
package final class Pool<Lent: Connection>: ForkedPool {
    private let settings: PoolSettings
    private let connection: Lent.Settings
    private var idle: [Lent] = []

    /// Creates the pool and opens its first connection.
    package convenience init(_ settings: PoolSettings, _ connection: Lent.Settings) throws(Failure) {
        self.init(unopened: settings, connection)
        do throws(Failure) {
            giveBack(try Lent(connection, isFirst: true), writes: false)
        } catch {
            giveBack(nil, writes: false)
            close()
            throw error
        }
    }

    private init(unopened settings: PoolSettings, _ connection: Lent.Settings) {
        self.settings = settings
        self.connection = connection
        super.init(limit: settings.limit)
    }

    override func endIdle() {
        for connection in idle { connection.end() }
        idle.removeAll()
    }

    /// Lends a connection to `body`; `writes` says whether `body` will write. Throws if no connection is free before
    /// the time-out, or if none can be opened.
    @inline(__always)
    package func lend<Result>(
        writes: Bool, _ body: (Lent) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let writes = writes && settings.hasOneWriter
        let lent = try take(writes)
        defer { giveBack(lent, writes: writes) }
        return try body(lent)
    }

    private func take(_ writes: Bool) throws(Failure) -> Lent {
        let deadline = millisecondsNow() + Int64(settings.timeout)
        var taken: Lent?
        guard takePlace(writes: writes, until: deadline, { taken = idle.popLast() }) else {
            let ending = held
            let unended: Message =
                ending == 0 ? "" : "; \(ending) connections whose calls timed out have not ended at the server"
            throw Failure(
                .store,
                "\(settings.name): other threads of this process kept it busy for \(settings.timeout) ms\(unended)")
        }
        if let stale = taken, stale.isStale() {
            stale.end()
            taken = nil
        }
        do throws(Failure) {
            let lent = if let taken { taken } else { try Lent(connection, isFirst: false) }
            lent.deadline = deadline
            return lent
        } catch {
            giveBack(nil, writes: writes)
            throw error
        }
    }

    private func giveBack(_ connection: Lent?, writes: Bool) {
        var connection = connection
        connection?.endLate { hold(sparesLast: $0) }
        if let broken = connection, broken.isBroken {
            broken.end()
            connection = nil
        }
        giveBackPlace(writes: writes) {
            if let connection { idle.append(connection) }
        }
    }
}
