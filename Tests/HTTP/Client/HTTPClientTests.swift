import Foundation
import SKANCore
import SKANHTTPClient
import SKANSystem
import Testing

@Suite struct HTTPClientTests {
    private let server = Server.shared

    /// Its thread is kept from its work, as by a libcurl that waits for a name.
    @Test func waitsNoLongerThanPromised() throws {
        var settings = HTTPSettings()
        settings.timeout = 300
        settings.proxy = CText("".utf8)
        let client = try HTTPClient(settings)
        defer { client.end() }
        let url = CText(server.url("plain", "/ok").utf8)
        let isInside = DispatchSemaphore(value: 0)
        let isOver = DispatchSemaphore(value: 0)
        _ = try client.start(url) { _ in
            isInside.signal()
            isOver.wait()
        }
        isInside.wait()
        defer { isOver.signal() }
        let begin = ContinuousClock.now
        #expect {
            try client.get(url)
        } throws: { error in
            words(of: error).contains("gave no answer in time")
        }
        let took = ContinuousClock.now - begin
        #expect(took < .seconds(20))
    }

    @Test(arguments: [
        "", "ok", "?a=key", "ok?a=key", "ftp://127.0.0.1/?a=key", "file:///etc/passwd?a=key", "http://?a=key",
        "http://127.0.0.1:99999/?a=key", "http://127.0.0.1/ ?a=key",
    ])
    func anotherURL(url: String) throws {
        let client = try HTTPClient(HTTPSettings())
        defer { client.end() }
        #expect {
            try client.start(CText(url.utf8)) { _ in }
        } throws: { error in
            (error as? Failure)?.status == .invalidArgument && !words(of: error).contains("key")
                && words(of: error).contains("expected an absolute http or https URL")
        }
    }

    /// Those of messages are bounded, whatever the URL is.
    @Test func aLongHost() throws {
        var settings = HTTPSettings()
        settings.maxAttempts = 1
        settings.proxy = CText("".utf8)
        let client = try HTTPClient(settings)
        defer { client.end() }
        #expect {
            try client.get(CText("http://\(String(repeating: "a", count: 200)).invalid/".utf8))
        } throws: { error in
            words(of: error).hasPrefix(String(repeating: "a", count: 160) + ": ")
        }
    }

    private func words(of error: any Error) -> String {
        String(decoding: (error as? Failure)?.message.utf8 ?? [], as: UTF8.self)
    }
}
