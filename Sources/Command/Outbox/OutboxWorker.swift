internal import SKANCore
internal import SKANHTTPClient
internal import SKANSystem

/// The one thread of the outbox, which takes entries, calls partners and writes down what came of it.
final class OutboxWorker {
    private let traffic: OutboxTraffic
    private let client: HTTPClient
    private let results: OutboxResults
    private let beginning: OutboxBeginning
    private let search: OutboxSearch
    private var thread: SystemThread?

    convenience init(_ context: OutboxContext) throws(Failure) {
        var random: UInt64 = 0
        guard fillRandom(&random) else { throw Failure(.store, "no random numbers") }
        self.init(context, try HTTPClient(oneAttempt(milliseconds: context.settings.timeout)), random: random)
    }

    private init(_ context: OutboxContext, _ client: HTTPClient, random: UInt64) {
        traffic = context.traffic
        self.client = client
        results = OutboxResults(context, random: random)
        beginning = OutboxBeginning(context, client, results)
        search = OutboxSearch(context)
    }

    /// It is ended by `stop(by:)`.
    func start() throws(Failure) {
        thread = SystemThread { self.serve() }
        guard thread != nil else {
            client.end()
            throw Failure(.store, "cannot start a thread")
        }
    }

    /// Waits for what is under way, until a moment on the clock of `millisecondsNow` at most, and ends.
    func stop(by moment: Int64) {
        traffic.stop(by: moment)
        thread?.join()
    }

    private func serve() {
        while let work = traffic.nextWork(nextSearch: search.nextStep) {
            results.writeDown(work.finished)
            if work.mayBegin { beginning.beginDue() }
            if work.searches { search.step() }
        }
        while let finished = traffic.nextFinished() { results.writeDown(finished) }
        client.end()
        results.writeDown(traffic.takeFinished())
    }
}

/// The outbox pauses between attempts, for longer than the client would.
private func oneAttempt(milliseconds: Int64) -> HTTPSettings {
    let timeout = UInt32(clamping: milliseconds)
    var settings = HTTPSettings()
    settings.timeout = timeout
    settings.attemptTimeout = timeout
    settings.connectTimeout = timeout
    settings.maxAttempts = 1
    settings.maxConnections = 64
    return settings
}
