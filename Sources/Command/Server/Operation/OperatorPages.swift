import SKANCore

/// The routes for an operator's tools. None of them waits for a store.
struct OperatorPages {
    let stores: [StoreHealth]
    let pools: [WorkPool]
    let intake: PostbackIntake?
    /// `gone`: the number of users dropped to make room.
    let users: () -> (users: Int, gone: UInt64)
    let metrics: ServerMetrics
    let schemaReads: SchemaReads
    let draining: ServerDraining
    let reloads: ReloadCounts
    let log: ServerLog

    var routes: [HTTPServerRoute] {
        [
            HTTPServerRoute("GET", "/healthz", name: "healthz") { _ in HTTPServerAnswer(200, page: "ok\n", "healthy") },
            HTTPServerRoute("GET", "/readyz", name: "readyz") { _ in readiness() },
            HTTPServerRoute("GET", "/metrics", name: "metrics") { _ in counts() },
        ]
    }

    /// Answers 200 if every store can be read and its last write did not fail; 503 otherwise, and once the server is
    /// stopping.
    private func readiness() -> HTTPServerAnswer {
        if draining.hasBegun { return HTTPServerAnswer(503, page: "the server is ending\n", "draining") }
        var words = ByteBuffer(capacity: 64)
        for store in stores {
            if let problem = store.problem { words.append(line: "\(store.name): \(problem)\n") }
        }
        if words.count == 0 { return HTTPServerAnswer(200, page: "ok\n", "ready") }
        return HTTPServerAnswer(503, page: Message(utf8: words.array), "store")
    }

    private func counts() -> HTTPServerAnswer {
        var text = metrics.text()
        text.appendFamily("skan_log_lines_dropped_total", "counter", "Lines of the log that nobody read in time.")
        text.append(line: "skan_log_lines_dropped_total \(log.droppedLines)\n")
        reloads.write(to: &text)
        writeStores(to: &text)
        text.append(users: users())
        schemaReads.write(to: &text)
        if let intake { text.append(line: intake.metrics) }
        return HTTPServerAnswer(
            200, "text/plain; version=0.0.4; charset=utf-8", text.array, outcome: "metrics")
    }

    private func writeStores(to text: inout ByteBuffer) {
        if stores.isEmpty { return }
        text.appendFamily(
            "skan_store_ready", "gauge", "1 if the store can be read and its last write did not fail, otherwise 0.")
        for store in stores {
            text.append(line: "skan_store_ready{store=\"\(store.name)\"} \(store.problem == nil ? 1 : 0)\n")
        }
        StoreTimes.writeFamily(to: &text)
        for store in stores { store.times.write(store: store.name, to: &text) }
        text.appendFamily("skan_store_requests", "gauge", "Requests that wait for a store, or that it works on.")
        for pool in pools {
            let (waiting, busy) = pool.load
            text.append(line: "skan_store_requests{store=\"\(pool.name)\",state=\"waiting\"} \(waiting)\n")
            text.append(line: "skan_store_requests{store=\"\(pool.name)\",state=\"working\"} \(busy)\n")
        }
    }
}

extension ByteBuffer {
    fileprivate mutating func append(users: (users: Int, gone: UInt64)) {
        let (count, gone) = users
        appendFamily("skan_users", "gauge", "Users whose counts are kept, as far as this process knows.")
        append(line: "skan_users \(count)\n")
        appendFamily("skan_users_gone_total", "counter", "Users dropped to make room for others.")
        append(line: "skan_users_gone_total \(gone)\n")
    }
}

extension HTTPServerAnswer {
    fileprivate init(_ status: UInt32, page words: Message, _ outcome: StaticString) {
        self.init(status, "text/plain; charset=utf-8", words.utf8, outcome: outcome)
    }
}
