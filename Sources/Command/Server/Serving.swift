internal import CSKANSystem
package import SKANCommandOutput
internal import SKANCommandStores
internal import SKANCore
internal import SKANEngine
package import SKANSystem

/// The conversion-value endpoint and the intake of postbacks, from the options to the end.
package final class Serving {
    package let apps = ServedApps()
    package var postbacks = PostbackOptions()
    package var clock = ServerClock.system
    package var http = HTTPServerSettings()
    /// Of a request, at most.
    package var bodyBytes = 65_536
    package var logs = ServerLog.Level.requests
    /// nil: one for each processor; where postbacks are taken, as many as are stored together.
    package var threads: UInt32?
    /// To answer what has come, once it is to end.
    package var graceSeconds: UInt32 = 10
    private var store: OpenStore?
    private let log = ServerLog()

    package init() {}

    /// Where counts are kept; in memory without one.
    package func openStore(_ url: CText) throws(CommandEnd) {
        let log = self.log
        store = nil
        store = try OpenStore.open(url, for: .fills) { log.event("store", $0.message) }
    }

    /// Serves until a signal comes.
    package func serve(until signals: ServerSignals) throws(CommandEnd) {
        apps.open(store.map { .store($0.records) } ?? .memory(MemoryRecords()), clock)
        guard log.start(logs) else { throw .complaint("serve", "out of memory") }
        defer { log.stop() }
        allowConnections()
        let intake = try openIntake()
        let server: any HTTPServer
        do throws(Failure) {
            let load = HTTPServerLoad()
            server = try startHTTPServer(settings, site(intake, load), load)
        } catch {
            intake?.stop(graceMilliseconds: 0)
            throw .complaint("serve", error.message)
        }
        tell(server)
        log.event("stopping", signals.wait())
        stop(server, intake)
        log.event("stopped")
    }

    private func openIntake() throws(CommandEnd) -> PostbackIntake? {
        guard let url = postbacks.store else { return nil }
        return try PostbackIntake(postbacks, at: url, clock, log)
    }

    private func site(_ intake: PostbackIntake?, _ load: HTTPServerLoad) -> HTTPServerSite {
        let metrics = ServerMetrics(load)
        let pages = OperatorPages(store: store?.records, intake: intake, metrics: metrics)
        let routes = endpointRoutes + pages.routes + (intake.map { postbackRoutes($0) } ?? [])
        metrics.begin(routes: routes.map { $0.name })
        let log = self.log
        return HTTPServerSite(routes: routes, bodyBytes: bodyBytes) { place, request, answer, microseconds in
            metrics.add(route: place, outcome: answer.outcome, status: answer.status, microseconds: microseconds)
            log.request(place.map { routes[$0].name }, request, answer, microseconds: microseconds)
        }
    }

    private var endpointRoutes: [HTTPServerRoute] {
        let skan4 = EndpointHandler(apps: apps, protocolVersion: .skan4, log: log)
        let skan3 = EndpointHandler(apps: apps, protocolVersion: .skan3, log: log)
        return [
            HTTPServerRoute("GET", "/api/v2/conversion_value", name: "conversion_value_v2", skan4.answer),
            HTTPServerRoute("GET", "/api/v1/conversion_value", name: "conversion_value_v1", skan3.answer),
        ]
    }

    private func postbackRoutes(_ intake: PostbackIntake) -> [HTTPServerRoute] {
        let handler = PostbackHandler(intake: intake, log: log)
        return [
            HTTPServerRoute(
                "POST", "/.well-known/skadnetwork/report-attribution/", name: "postbacks_skadnetwork",
                handler.answerApple),
            HTTPServerRoute(
                "POST", "/.well-known/appattribution/report-attribution/", name: "postbacks_adattributionkit",
                handler.answerApple),
            HTTPServerRoute("POST", "/postbacks/*", name: "postbacks_forwarded", handler.answerForwarded),
        ]
    }

    /// As many as there may be files.
    private func allowConnections() {
        guard let allowed = allowFiles(for: http.connections) else { return }
        http.connections = allowed.connections
        log.event(
            "connections", "at most \(allowed.connections), as the process may open \(allowed.files) files")
    }

    private var settings: HTTPServerSettings {
        var settings = http
        let processors = UInt32(clamping: max(sysconf(Int32(_SC_NPROCESSORS_ONLN)), 1))
        settings.threads = threads ?? (postbacks.store == nil ? processors : threadsThatWait)
        return settings
    }

    private func tell(_ server: any HTTPServer) {
        let isSix = http.address.utf8.contains(UInt8(ascii: ":"))
        let address: Message = isSix ? "[\(http.address)]" : http.address
        let store: Message = self.store?.name ?? "keeping counts in memory"
        StandardOutput.line("skan: serving on http://\(address):\(Int(server.port)), \(store)")
        StandardOutput.flush()
    }

    /// Partners are still told while the log is there.
    private func stop(_ server: any HTTPServer, _ intake: PostbackIntake?) {
        let grace = Int64(graceSeconds) * 1000
        let start = millisecondsNow()
        server.stop(graceMilliseconds: UInt64(grace))
        intake?.stop(graceMilliseconds: max(grace - (millisecondsNow() - start), 0))
    }
}

/// For a disk: as many postbacks are stored together.
private var threadsThatWait: UInt32 { 32 }
