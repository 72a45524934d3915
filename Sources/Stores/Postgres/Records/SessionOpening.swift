internal import CSKANPQ
internal import CSKANSystem
internal import SKANCore
internal import SKANSystem

extension PostgresSession {
    /// Opens a session that is ready for statements. Appends sessions that timed out, whose servers may still be busy,
    /// to `late`.
    static func open(
        _ settings: PostgresSettings, until deadline: Int64, _ late: inout [PostgresSession]
    ) throws(ServerTrouble) -> PostgresSession {
        let session = try reach(settings, until: deadline, &late)
        if settings.isPooled { return session }
        do throws(ServerTrouble) {
            try session.setTimeOut(until: deadline)
            return session
        } catch {
            if session.isLate { late.append(session) }
            throw error
        }
    }

    /// Connects to the first host that answers. Each host gets a share of the time, and each address of a host a share
    /// of the host's time. libpq by itself would try all addresses of a name, and a dead first one would use up all of
    /// the time. A name is looked up once, when its turn comes.
    private static func reach(
        _ settings: PostgresSettings, until deadline: Int64, _ late: inout [PostgresSession]
    ) throws(ServerTrouble) -> PostgresSession {
        let hosts = settings.address.hosts
        var resolved = [[PostgresHost]?](repeating: nil, count: hosts.count)
        // libpq gets one host at a time, so it would take the first host before a standby behind it. Therefore the
        // first of two rounds takes only standbys. The rounds are not a constant array, because that would differ from
        // module to module (.ci/shared_data.py).
        let prefersStandby = settings.address.prefersStandby
        let rounds = prefersStandby ? 2 : 1
        var left = hosts.count * rounds
        var found = ServerTrouble(kind: .unreached, message: "\(settings.address.name): connect: no host")
        for round in 0..<rounds {
            let wanted: StaticString? = prefersStandby ? (round == 0 ? "standby" : "any") : nil
            for index in hosts.indices {
                defer { left -= 1 }
                do throws(ServerTrouble) {
                    if resolved[index] == nil {
                        resolved[index] = []  // a name without addresses is not looked up again
                        resolved[index] = try addresses(of: hosts[index], settings, until: deadline)
                    }
                    guard let addresses = resolved[index], !addresses.isEmpty else { continue }
                    let turn = millisecondsNow() + millisecondsLeft(deadline) / Int64(left)
                    return try reach(settings, addresses, wanted, until: turn, &late)
                } catch {
                    found = error
                }
            }
        }
        throw found
    }

    /// The addresses of a host. The system's look-up can last beyond the deadline, but none begins after the deadline.
    private static func addresses(
        of host: PostgresHost, _ settings: PostgresSettings, until deadline: Int64
    ) throws(ServerTrouble) -> [PostgresHost] {
        func unknown(_ words: Message) -> ServerTrouble {
            ServerTrouble(kind: .unreached, message: "\(settings.address.name): connect: the host's name: \(words)")
        }
        guard !host.needsLookUp || millisecondsLeft(deadline) > 0 else {
            throw unknown("no time was left to look it up")
        }
        do throws(UnknownName) { return try host.resolved() } catch { throw unknown(error.words) }
    }

    private static func reach(
        _ settings: PostgresSettings, _ addresses: [PostgresHost], _ wanted: StaticString?, until deadline: Int64,
        _ late: inout [PostgresSession]
    ) throws(ServerTrouble) -> PostgresSession {
        var found = ServerTrouble(kind: .unreached, message: "\(settings.address.name): connect: no address")
        for (index, address) in addresses.enumerated() {
            let turn = millisecondsNow() + millisecondsLeft(deadline) / Int64(addresses.count - index)
            let session = try PostgresSession(settings, address, wanted: wanted)
            do throws(ServerTrouble) {
                try session.dial(until: turn)
                return session
            } catch {
                found = error
                if session.isLate { late.append(session) }
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

    /// Makes the server give up a statement before the caller does, so that the statement is certainly not applied, and
    /// no longer holds locks.
    private func setTimeOut(until deadline: Int64) throws(ServerTrouble) {
        let most = (UInt64(settings.timeout) * 3 + 3) / 4
        let sql: Message =
            """
            SELECT set_config('statement_timeout', '\(most)', false) FROM pg_settings WHERE name = 'statement_timeout' \
            AND (setting::bigint = 0 OR setting::bigint > \(most))
            """
        _ = try ask(sql, "connect", until: deadline)
    }
}
