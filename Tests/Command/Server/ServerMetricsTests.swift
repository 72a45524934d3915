import SKANCore
import SKANSystem
import Testing

@testable import SKANCommandServer

@Suite struct ServerMetricsTests {
    private let metrics = ServerMetrics(HTTPServerLoad())

    private var lines: [Substring] {
        func text(_ bytes: borrowing ByteBuffer) -> String { String(decoding: bytes.array, as: UTF8.self) }
        return text(metrics.text()).split(separator: "\n")
    }

    @Test func durationsAreAHistogramInSeconds() {
        metrics.begin(routes: ["one"])
        for time: UInt64 in [50, 51, 1_000_000, 1_000_001] {
            metrics.add(route: 0, outcome: "value", status: 200, microseconds: time)
        }
        let family = "skan_http_request_duration_seconds"
        #expect(lines.contains("\(family)_bucket{route=\"one\",le=\"5e-05\"} 1"))
        #expect(lines.contains("\(family)_bucket{route=\"one\",le=\"0.0001\"} 2"))
        #expect(lines.contains("\(family)_bucket{route=\"one\",le=\"1\"} 3"))
        #expect(lines.contains("\(family)_bucket{route=\"one\",le=\"+Inf\"} 4"))
        #expect(lines.contains("\(family)_sum{route=\"one\"} 2.000102"))
        #expect(lines.contains("\(family)_count{route=\"one\"} 4"))
    }

    @Test func seriesAboveTheLimitAreLeftOut() {
        metrics.begin(routes: [])
        for status in 0..<100 { metrics.add(route: nil, outcome: "x", status: UInt32(status), microseconds: 1) }
        #expect(lines.count { $0.hasPrefix("skan_http_requests_total{") } == 64)
        #expect(lines.contains("skan_http_request_duration_seconds_count{route=\"other\"} 100"))
    }
}
