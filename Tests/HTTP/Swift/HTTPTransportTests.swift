import Foundation
import SKAN
import SKANHTTP
import Testing

@Suite struct HTTPTransportTests {
    let server = Server.shared

    func options() -> HTTPTransport.Options {
        var options = HTTPTransport.Options()
        options.caFile = server.folder.appendingPathComponent("ca.pem").path
        options.proxy = ""
        options.timeout = .seconds(60)
        options.attemptTimeout = .seconds(20)
        options.backoff = .milliseconds(20)
        options.maxBackoff = .milliseconds(40)
        return options
    }

    @Test func anEnginesUpdate() async throws {
        let configuration = Configuration(endpointURL: server.url("tls", "/ok"), sdkKey: "the-sdk-key")
        let engine = try Engine(configuration, transport: HTTPTransport(options()).get)
        try await engine.register("player")
        let result = try await engine.updateConversionValues("player", "purchase")
        #expect(result.update?.fineValue == 7)
    }

    /// A failed call throws; Tests/Trouble/HTTP/misbehaviour.c shows which answers and connections fail.
    @Test func aFailure() async throws {
        let engine = try Engine(
            Configuration(endpointURL: server.url("plain", "/status/503"), sdkKey: "the-sdk-key"),
            transport: HTTPTransport(options()).get)
        try await engine.register("player")
        let before = try await engine.details("player")
        await #expect { try await engine.updateConversionValues("player", Event(eventID: "1")) } throws: { error in
            let underlying = ((error as? SKANError)?.underlying as? SKANError)?.message ?? ""
            return SKANError.Code.transportUnknown ~= error && underlying.contains("HTTP status 503, attempt 6 of 6")
                && !underlying.contains("the-sdk-key")
        }
        #expect(try await engine.details("player") == before)
    }

    @Test func moreThanIsTaken() async throws {
        let transport = try HTTPTransport(options())
        await #expect { try await transport.get(server.url("plain", "/endless/200")) } throws: { error in
            SKANError.Code.limitExceeded ~= error
        }
    }

    @Test(arguments: ["/slow", "/drip", "/sequence/503:3000?event_id=1"]) func aCancelledTask(path: String) async throws
    {
        var options = options()
        options.timeout = .seconds(3600)
        options.attemptTimeout = .seconds(3600)
        let transport = try HTTPTransport(options)
        let task = Task { try await transport.get(server.url("plain", path)) }
        try await Task.sleep(for: .milliseconds(50))
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func aTaskThatIsCancelledBefore() async throws {
        let transport = try HTTPTransport(options())
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return try await transport.get(server.url("plain", "/slow"))
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    /// Far more requests than the pool has threads wait at once, and others go on meanwhile.
    @Test func manyTasksAtOnce() async throws {
        var options = options()
        options.timeout = .seconds(3600)
        options.attemptTimeout = .seconds(3600)
        options.connectTimeout = .seconds(60)
        options.maxConnections = 128
        let transport = try HTTPTransport(options)
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<64 {
                group.addTask {
                    await #expect(throws: CancellationError.self) {
                        try await transport.get(server.url("plain", "/slow"))
                    }
                    return 0
                }
            }
            try await withThrowingTaskGroup(of: Int.self) { inner in
                for _ in 0..<500 { inner.addTask { try await transport.get(server.url("plain", "/ok")).count } }
                var answered = 0
                for try await length in inner where length > 0 { answered += 1 }
                #expect(answered == 500)
            }
            group.cancelAll()
            try await group.waitForAll()
        }
    }

    @Test func anOptionThatIsNone() throws {
        #expect(throws: SKANError.self) { try HTTPTransport(with { $0.timeout = .zero }) }
        #expect(throws: SKANError.self) { try HTTPTransport(with { $0.attemptTimeout = .seconds(3601) }) }
        #expect(throws: SKANError.self) { try HTTPTransport(with { $0.maxAttempts = 101 }) }
        #expect(throws: SKANError.self) { try HTTPTransport(with { $0.maxConnections = 0 }) }
        #expect(throws: SKANError.self) { try HTTPTransport(with { $0.proxy = "a\0b" }) }
        #expect {
            try HTTPTransport(with { $0.caFile = "/nowhere/ca.pem" })
        } throws: { error in
            SKANError.Code.transport ~= error && "\(error)".contains("/nowhere/ca.pem: No such file")
        }
    }

    /// What else is none is told by HTTPClientTests.
    @Test(arguments: ["ftp://127.0.0.1/", "http://127.0.0.1/\0"])
    func anotherURL(url: String) async throws {
        let transport = try HTTPTransport(options())
        await #expect { try await transport.get(url) } throws: { SKANError.Code.invalidArgument ~= $0 }
    }

    private func with(_ change: (inout HTTPTransport.Options) -> Void) -> HTTPTransport.Options {
        var options = HTTPTransport.Options()
        change(&options)
        return options
    }
}
