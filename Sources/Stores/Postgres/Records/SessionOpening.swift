internal import CSKANPQ
internal import CSKANSystem
internal import SKANCore
internal import SKANSystem

extension PostgresSession {
    /// One that is ready for statements. Where it throws, `late` is set to a session whose server may go on with it.
    static func open(
        _ settings: PostgresSettings, until deadline: Int64, _ late: inout PostgresSession?
    ) throws(ServerTrouble) -> PostgresSession {
        let session = try reach(settings, until: deadline, &late)
        if settings.isPooled { return session }
        do throws(ServerTrouble) {
            try session.setTimeOut(until: deadline)
            return session
        } catch {
            if session.isLate { late = session }
            throw error
        }
    }

    /// Of the hosts the first that answers, each in its share of the time.
    private static func reach(
        _ settings: PostgresSettings, until deadline: Int64, _ late: inout PostgresSession?
    ) throws(ServerTrouble) -> PostgresSession {
        let hosts = settings.address.hosts
        var found = ServerTrouble(kind: .unreached, message: "\(settings.address.name): connect: no host")
        for host in 0..<hosts {
            let turn = millisecondsNow() + millisecondsLeft(deadline) / Int64(hosts - host)
            let session = try PostgresSession(settings, host: host)
            do throws(ServerTrouble) {
                try session.dial(until: turn)
                return session
            } catch {
                found = error
                if session.isLate && host == hosts - 1 { late = session }
            }
        }
        throw found
    }

    private func dial(until deadline: Int64) throws(ServerTrouble) {
        var state = PQstatus(link) == CONNECTION_BAD ? PGRES_POLLING_FAILED : PGRES_POLLING_WRITING
        while state == PGRES_POLLING_READING || state == PGRES_POLLING_WRITING {
            let events = state == PGRES_POLLING_READING ? POLLIN : POLLOUT
            guard wait(for: Int32(events), until: deadline) else { throw late("connect").beforehand }
            state = PQconnectPoll(link)
        }
        guard state == PGRES_POLLING_OK && PQsetnonblocking(link, 1) == 0 else {
            throw broken("connect").beforehand
        }
    }

    /// The server gives up a statement before the caller does, so that it is known not to have been applied, and holds
    /// no locks any longer.
    private func setTimeOut(until deadline: Int64) throws(ServerTrouble) {
        let most = (UInt64(settings.timeout) * 3 + 3) / 4
        let sql: Message =
            "SELECT set_config('statement_timeout', '\(most)', false) FROM pg_settings WHERE name = 'statement_timeout' AND (setting::bigint = 0 OR setting::bigint > \(most))"
        _ = try ask(sql, "connect", until: deadline)
    }
}
