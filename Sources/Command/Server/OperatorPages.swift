internal import SKANCore
internal import SKANStorePool

/// What an operator's tools ask for.
struct OperatorPages {
    /// nil: in memory.
    let store: RecordStore?
    let intake: PostbackIntake?
    let metrics: ServerMetrics

    var routes: [HTTPServerRoute] {
        [
            HTTPServerRoute("GET", "/healthz", name: "healthz") { _ in health() },
            HTTPServerRoute("GET", "/metrics", name: "metrics") { _ in counts() },
        ]
    }

    /// Healthy is who can read the store.
    private func health() -> HTTPServerAnswer {
        let isFine = (store?.canBeRead ?? true) && (intake?.isHealthy ?? true)
        let words: Message = isFine ? "ok\n" : "the store cannot be read\n"
        return HTTPServerAnswer(
            isFine ? 200 : 503, "text/plain; charset=utf-8", words.utf8, outcome: isFine ? "healthy" : "store")
    }

    private func counts() -> HTTPServerAnswer {
        var text = metrics.text()
        if let intake { text.append(line: intake.metrics) }
        return HTTPServerAnswer(
            200, "text/plain; version=0.0.4; charset=utf-8", text.array, outcome: "metrics")
    }
}
