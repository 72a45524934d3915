internal import CSKANPQ
internal import CSKANSystem
internal import SKANCore
internal import SKANSystem

extension PostgresSession {
    /// Opens a session that is ready for statements. `late` gets sessions that timed out, whose servers may still be
    /// busy.
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

    /// Connects to the first host that answers. Each host has its share of the time, and each address of a host its
    /// share of that. libpq would try all addresses of a name by itself, and a dead first one would use up all of the
    /// time. A name is looked up once, when its turn comes.
    private static func reach(
        _ settings: PostgresSettings, until deadline: Int64, _ late: inout [PostgresSession]
    ) throws(ServerTrouble) -> PostgresSession {
        let hosts = settings.address.hosts
        var resolved = [[PostgresHost]?](repeating: nil, count: hosts.count)
        // Tried host by host, libpq would prefer the first one to every standby behind it. Constant arrays of the two
        // rounds would differ from module to module (.ci/shared_data.py).
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
                        resolved[index] = []  // for a name that has none, and is not looked up again
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

    /// The addresses of a host. The system looks them up, which may take longer than there is time; no look-up begins
    /// after the deadline.
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

    /// Makes the server give up a statement before the caller does, so that the statement is known not to have been
    /// applied, and holds no locks any longer.
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
