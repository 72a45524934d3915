import SKANCore
import SKANHTTPClient
import SKANSystem

/// The thread of the outbox: takes entries, calls partners and records the results.
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

    func start() throws(Failure) {
        thread = SystemThread { self.serve() }
        guard thread != nil else {
            client.end()
            throw Failure(.store, "cannot start a thread")
        }
    }

    /// Waits for calls under way, at most until a moment on the clock of `millisecondsNow`, and ends the thread.
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

/// Returns HTTP settings with this timeout and one attempt per call, since the outbox pauses longer between attempts
/// than the client would.
private func oneAttempt(milliseconds: Int64) -> HTTPSettings {
    let timeout = UInt32(clamping: milliseconds)
    var settings = HTTPSettings()
    settings.timeout = timeout
    settings.attemptTimeout = timeout
    settings.connectTimeout = timeout
    settings.maxAttempts = 1
    settings.successes = 200...299
    settings.maxConnections = 64
    settings.repeatsAll = true
    return settings
}
