import CSKANSystem
package import SKANCore
import SKANSystem
import Synchronization

/// Thread-safe.
package final class ServerMetrics: @unchecked Sendable {
    private let load: HTTPServerLoad
    /// The counters of each route. The last ones, "other", count requests that match no route.
    private var routes: [RouteMetrics] = []
    private let process = ProcessMetrics(start: Int64(time(nil)))
    /// Guards the creation of series.
    private let lock = Lock()

    package init(_ load: HTTPServerLoad) { self.load = load }

    /// Call it before there are requests.
    package func begin(routes names: [StaticString]) { routes = (names + ["other"]).map { RouteMetrics($0) } }

    /// `place`: the index of the request's route; nil if no route matches.
    package func add(route place: Int?, outcome: StaticString, status: UInt32, microseconds: UInt64) {
        let route = routes[place ?? routes.count - 1]
        route.add(microseconds: microseconds)
        if route.add(outcome, status) { return }
        lock.hold { route.make(outcome, status) }
    }

    /// The metrics in Prometheus' text form.
    @export(interface)
    package func text() -> ByteBuffer {
        var text = ByteBuffer(capacity: 8192)
        text.appendFamily("skan_build_info", "gauge", "The library's version.")
        text.append(line: "skan_build_info{version=\"\(libraryVersion)\"} 1\n")
        process.write(to: &text)
        text.appendFamily("skan_http_connections", "gauge", "Connections that are open.")
        text.append(line: "skan_http_connections \(load.connections)\n")
        text.appendFamily(
            "skan_http_connections_refused_total", "counter", "Connections above a limit: answered 503, or closed.")
        text.append(line: "skan_http_connections_refused_total \(load.refused)\n")
        text.appendFamily(
            "skan_http_connections_dropped_total", "counter", "Idle connections that were ended to make room.")
        text.append(line: "skan_http_connections_dropped_total \(load.madeRoom)\n")
        text.appendFamily("skan_http_requests_in_flight", "gauge", "Requests that are under way.")
        text.append(line: "skan_http_requests_in_flight \(load.requests)\n")
        text.appendFamily("skan_http_requests_total", "counter", "Requests that were answered.")
        for route in routes { route.writeRequests(to: &text) }
        text.appendFamily(
            "skan_http_request_duration_seconds", "histogram", "Time from the request line to the answer.")
        for route in routes { route.writeDurations(to: &text) }
        return text
    }
}
