internal import CSKANPQ
internal import CSKANSystem
package import SKANCore
package import SKANStorePool
package import SKANSystem

/// A connection of a store: a session with the server, opened when it is needed and replaced when it has died.
package final class PostgresConnection {
    let settings: PostgresSettings
    private var session: PostgresSession?
    /// The sessions that timed out in this call, on any host.
    private var late: [PostgresSession] = []
    package var deadline: Int64 = 0

    package convenience init(_ settings: PostgresSettings, isFirst: Bool) throws(Failure) {
        self.init(settings)
        guard isFirst else { return }
        deadline = millisecondsNow() + Int64(settings.timeout)
        session = try open(isFirst: true)
    }

    private init(_ settings: PostgresSettings) { self.settings = settings }

    package func end() {
        session?.end()
        session = nil
    }

    package func endLate(_ hold: (_ sparesLast: Bool) -> HeldPlace?) {
        for each in late { each.end(holding: hold(session != nil)) }
        late.removeAll()
    }

    private func open(isFirst: Bool) throws(Failure) -> PostgresSession {
        let opened: PostgresSession
        do throws(ServerTrouble) {
            opened = try PostgresSession.open(settings, until: deadline, &late)
        } catch {
            throw Failure(.store, error.message)
        }
        do throws(Failure) {
            try opened.checkTable(isFirst: isFirst, until: deadline)
        } catch {
            if opened.isLate { late.append(opened) }
            throw error
        }
        opened.isSettingUp = false
        return opened
    }

    /// If there is no session, or it is found dead before anything is sent, opens a new one.
    private func liveSession() throws(Failure) -> PostgresSession {
        if let session, session.isAlive() { return session }
        end()
        do throws(Failure) {
            let opened = try open(isFirst: false)
            session = opened
            return opened
        } catch {
            throw Failure(.store, error.message)
        }
    }

    private var mostTries: Int { 10 }

    /// Makes an attempt on a session, and repeats it as long as the last attempt certainly changed nothing and another
    /// one may help.
    func trying<Result: ~Copyable>(
        writes: Bool, _ attempt: (PostgresSession) throws(ServerTrouble) -> Result
    ) throws(Failure) -> Result {
        var tries = 1
        var isFresh = false
        while true {
            let hadSession = session != nil
            let current = try liveSession()
            defer {
                if current.isLate {
                    late.append(current)
                    session = nil
                } else if !current.isFit {
                    end()
                }
            }
            do throws(ServerTrouble) {
                return try attempt(current)
            } catch {
                if writes && !error.isHarmless { throw Failure(.storeUnknown, error.message) }
                // A session that was kept may have died with its server. A new session shows whether there is a server
                // now.
                let wasLost = error.kind == .unreached || error.kind == .unknown
                let mayHelp = error.kind == .again ? tries < mostTries : wasLost && hadSession && !isFresh
                guard mayHelp && millisecondsLeft(deadline) > 0 else { throw Failure(.store, error.message) }
                if error.kind == .again { nap(tries) } else { isFresh = true }
                tries += 1
            }
        }
    }

    /// Pauses before another attempt, longer after more `tries`. A part of the time is random, so that clients do not
    /// stay in step.
    private func nap(_ tries: Int) {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        let longest = 1_000_000 << min(tries, 6)
        let drawn = min(longest / 2 + now.tv_nsec % (longest / 2), Int(millisecondsLeft(deadline)) * 1_000_000)
        var time = timespec(tv_sec: drawn / 1_000_000_000, tv_nsec: drawn % 1_000_000_000)
        nanosleep(&time, nil)
    }
}

/// Connects to the server and checks the table.
@export(interface)
package func openPostgres(
    _ url: CText, _ options: PostgresOptions, report: ((Failure) -> Void)?
) throws(Failure) -> RecordStore {
    guard PQisthreadsafe() != 0 else { throw Failure(.store, "open: this libpq was built without threads") }
    let address = try PostgresAddress(url)
    let settings = PostgresSettings(address: address, table: try RecordTable(options.table.utf8), options)
    EndingSessions.prepare()
    let pool = PoolSettings(
        name: address.name, limit: options.connections, timeoutMilliseconds: options.timeout, hasOneWriter: false)
    return try PooledStore<PostgresConnection>(pool, settings, report: report)
}
