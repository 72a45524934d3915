import CSKANSystem
package import SKANCommandOutput
import SKANCommandStores
import SKANCore
import SKANEngine
import SKANPostbackReceiving
package import SKANSystem

/// Runs the conversion-value endpoint and the intake of postbacks.
package final class Serving {
    /// The sources read at the start and again on SIGHUP: keys, models, networks.
    package var sources: [ConfigurationSource] = []
    /// The URL of the store for counts; nil to keep them in memory.
    package var storeURL: CText?
    package var takesAnyKey = false
    /// Whether the configuration is only checked.
    package var isCheck = false
    /// The maximum number of users, in memory or in the store.
    package var mostUsers: UInt32 = 1_000_000
    package var postbacks = PostbackOptions()
    package var clock = ServerClock.system
    package var http = HTTPServerSettings()
    /// The settings of a separate server for operators' pages; nil to serve these pages along with all others.
    package var admin: HTTPServerSettings?
    /// The maximum size of a request's body in bytes.
    package var bodyBytes = 65_536
    package var logs = ServerLog.Level.requests
    package var loggedAddress = LoggedAddress.none
    /// The sampling interval of the log: one of every `logSample` requests without an error is logged.
    package var logSample: UInt32 = 1
    /// nil for one per processor.
    package var threads: UInt32?
    /// The number of threads per store. Each works on one request at a time, and records of concurrent requests are
    /// saved together.
    package var storeThreads: UInt32 = 32
    /// The number of further requests per store that may wait.
    package var storeQueue: UInt32 = 256
    /// The maximum time in seconds for answering, when the server stops, the requests that have arrived.
    package var graceSeconds: UInt32 = 10
    /// The time in seconds for which the server still accepts requests after SIGTERM, while /readyz is answered with
    /// 503.
    package var drainSeconds: UInt32 = 0
    package let manager = ServiceManager()
    private let draining = ServerDraining()
    private var store: OpenStore?
    private(set) var users: EndpointUsers?
    private var userSweep: UserSweep?
    /// The budget of refused postbacks, which is kept when the configuration is read again.
    private var refused: RefusedBudget?
    private let schemaReads = SchemaReads()
    let reloads = ReloadCounts()
    let log = ServerLog()

    package init() {}

    @export(interface)
    package func serve(until signals: ServerSignals) throws(CommandEnd) {
        let served = try begin()
        log.addresses = loggedAddress
        log.sample = UInt64(logSample)
        guard log.start(logs) else { throw .noThread }
        defer { log.stop() }
        allowConnections()
        let stores = ServedStores(threads: storeThreads, queue: storeQueue)
        defer { stores.stop() }
        let load = HTTPServerLoad()
        let intake = try openIntake(served)
        let server: any HTTPServer
        var pages: (any HTTPServer)?
        do throws(CommandEnd) {
            let sites = try sites(stores, intake, served, load)
            server = try start(settings, sites.site, load)
            if var admin {
                admin.socketMode = http.socketMode
                pages = try start(admin, sites.admin, HTTPServerLoad())
            }
        } catch {
            intake?.stop(graceMilliseconds: 0)
            userSweep?.stop()
            throw error
        }
        tell(server, pages, intake, undecodedNotice(served.current))
        // The configuration is read again on a thread of its own, so that a file that hangs holds up nothing else.
        let reload = RepeatingThread { self.reload(served, intake) }
        guard reload.start() else { throw .noThread }
        guard let watchdog = Watchdog.start(manager, server) else { throw .noThread }
        manager.tellReady("serving on \(server.name)")
        log.event("stopping", signals.wait { reload.want() })
        drain(signals)
        watchdog.stop()
        guard endProcess(at: signals, draining, log) else { throw .noThread }
        try stop(server, intake)
        reload.stop()
        pages?.stop(graceMilliseconds: 0)
        draining.end()
        log.event("stopped")
    }

    /// Goes on serving for `drainSeconds`, while balancers learn that the server is stopping. Another signal ends the
    /// wait.
    private func drain(_ signals: ServerSignals) {
        draining.begin()
        let longest = UInt64(drainSeconds) + UInt64(graceSeconds) + ServiceManager.spareSeconds
        manager.tellStopping("answering what has arrived", within: longest)
        guard drainSeconds > 0 else { return }
        log.event("draining", "serving on for \(drainSeconds) seconds, while /readyz is answered 503")
        _ = signals.wait(seconds: drainSeconds)
    }

    private func openIntake(_ served: ServedConfiguration) throws(CommandEnd) -> PostbackIntake? {
        guard let url = postbacks.store else { return nil }
        return try PostbackIntake(postbacks, at: url, served, clock, log)
    }

    /// Reads the configuration and opens the store for counts.
    private func begin() throws(CommandEnd) -> ServedConfiguration {
        var problems = ConfigurationProblems()
        let read = read(&problems)
        try problems.throwFirst()
        guard let read else { throw .done(.found) }
        let log = self.log
        if let storeURL { store = try OpenStore.open(storeURL, for: .fills) { log.trouble("store", $0.message) } }
        return ServedConfiguration(read)
    }

    func read(_ problems: inout ConfigurationProblems) -> ServerConfiguration? {
        let budget = refused ?? RefusedBudget(bytes: postbacks.refusedBytes)
        refused = budget
        return .read(sources, postbacks.scope, budget, &problems)
    }

    private func start(
        _ settings: HTTPServerSettings, _ site: HTTPServerSite, _ load: HTTPServerLoad
    ) throws(CommandEnd) -> any HTTPServer {
        do throws(Failure) { return try startHTTPServer(settings, site, load) } catch {
            throw .complaint("serve", error.message)
        }
    }

    private func sites(
        _ stores: ServedStores, _ intake: PostbackIntake?, _ served: ServedConfiguration, _ load: HTTPServerLoad
    ) throws(CommandEnd) -> ServedSites {
        var routes = try endpointRoutes(stores, served)
        if let intake {
            guard let pool = stores.add(intake.health) else { throw .noThread }
            routes += PostbackHandler(intake: intake, bodyBytes: bodyBytes, log: log).routes(pool)
        }
        if !served.current.readers.isEmpty {
            routes.append(SchemaHandler(served: served, reads: schemaReads, log: log).route)
        }
        let pages = OperatorPages(
            stores: stores.healths, pools: stores.pools, intake: intake, users: { self.userCounts() },
            metrics: ServerMetrics(load), schemaReads: schemaReads, draining: draining, reloads: reloads, log: log)
        return ServedSites(routes, pages, hasAdmin: admin != nil, bodyBytes: bodyBytes, log)
    }

    /// `gone`: the number of users dropped to make room.
    private func userCounts() -> (users: Int, gone: UInt64) {
        switch users?.records {
        case .memory(let users): users.counts
        case .store(_, _, _, let sweep): sweep.counts
        case nil: (0, 0)
        }
    }

    /// Requests that need only memory are answered at once, without a pool.
    private func endpointRoutes(
        _ stores: ServedStores, _ served: ServedConfiguration
    ) throws(CommandEnd) -> [HTTPServerRoute] {
        guard let store, let storeURL else {
            let users = UserRecords(most: Int(mostUsers))
            guard let users else { throw .complaint("--max-users", "there is no memory for \(mostUsers)") }
            return try endpointRoutes(.memory(users), served, nil)
        }
        let health = StoreHealth("counts", store.records)
        guard let pool = stores.add(health) else { throw .noThread }
        let log = self.log
        let relaxed = try OpenStore.open(storeURL, for: .removes) { log.trouble("store", $0.message) }
        let sweep = UserSweep(relaxed, most: UInt64(mostUsers), log)
        sweep.start()
        userSweep = sweep
        return try endpointRoutes(.store(store.records, InstallTurns(), health, sweep), served, pool)
    }

    private func endpointRoutes(
        _ records: InstallRecords, _ served: ServedConfiguration, _ pool: WorkPool?
    ) throws(CommandEnd) -> [HTTPServerRoute] {
        let users = EndpointUsers(records: records, models: KeptModels(store), clock: clock)
        do throws(Failure) { try users.models.keep(served.current.apps.served) } catch {
            throw .complaint("--store", error.message)
        }
        self.users = users
        served.current.apps.open(users)
        let skan4 = EndpointHandler(served: served, protocolVersion: .skan4, log: log)
        let skan3 = EndpointHandler(served: served, protocolVersion: .skan3, log: log)
        return [
            HTTPServerRoute(
                "GET", "/api/v2/conversion_value", name: "conversion_value_v2", takesHEAD: false, pool: pool,
                skan4.answer),
            HTTPServerRoute(
                "GET", "/api/v1/conversion_value", name: "conversion_value_v1", takesHEAD: false, pool: pool,
                skan3.answer),
        ]
    }

    /// Limits the number of connections to what the process's limit of open files allows.
    private func allowConnections() {
        guard let allowed = allowFiles(for: http.connections + http.mostCrowded) else { return }
        http.connections = max(allowed.connections / 5 * 4, 1)
        log.event(
            "connections", "at most \(http.connections), as the process may open \(allowed.files) files")
    }

    private var settings: HTTPServerSettings {
        var settings = http
        settings.threads = threads ?? UInt32(clamping: max(sysconf(Int32(_SC_NPROCESSORS_ONLN)), 1))
        return settings
    }

    private func tell(
        _ server: any HTTPServer, _ pages: (any HTTPServer)?, _ intake: PostbackIntake?, _ notice: Message?
    ) {
        let counts: Message = "\(Serving.countsLabel) in \(store?.name ?? "memory")"
        let postbacks: Message = intake.map { ", \(Serving.postbacksLabel) in \($0.storeName)" } ?? ""
        StandardOutput.line("skan: serving on \(server.name), \(counts)\(postbacks)")
        if let pages { StandardOutput.line("skan: health and metrics on \(pages.name)") }
        if let notice { StandardOutput.line("skan: \(notice)") }
        StandardOutput.flush()
    }

    /// Stops the server, then the sweep, then the outbox, while the log still runs. Part of the grace time is reserved
    /// for the steps after the server.
    private func stop(_ server: any HTTPServer, _ intake: PostbackIntake?) throws(CommandEnd) {
        let grace = Int64(graceSeconds) * 1000
        let end = millisecondsNow() + max(grace, 500)
        guard endProcess(at: end, draining, log) else { throw .noThread }
        server.stop(graceMilliseconds: UInt64(grace - min(grace / 4, 1000)))
        userSweep?.stop()
        intake?.stop(graceMilliseconds: max(end - 300 - millisecondsNow(), 0))
    }
}

extension Serving {
    /// The contents of `--store`, as the first line of output and `--check` name them.
    static var countsLabel: StaticString { "counts of installs" }
    /// The contents of `--postbacks`, as the first line of output and `--check` name them.
    static var postbacksLabel: StaticString { "postbacks" }
}

extension CommandEnd {
    fileprivate static var noThread: CommandEnd { .complaint("serve", "cannot start a thread") }
}
