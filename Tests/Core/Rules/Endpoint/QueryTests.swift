import SKANCore
import Testing

/// Rules, "Request", "Query items": items in order, percent-encoded but for RFC 3986's unreserved characters. The
/// runners of Tests/Vectors decode a query before they compare it. These tests alone judge how each byte is encoded,
/// which endpoints are taken and what stands before the path, and that a message does not show a secret that is too
/// long.
struct QueryTests {
    private static let unreserved = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8)

    @Test func everyByteIsEncodedButTheUnreservedOnes() {
        for byte in UInt8(0)...255 {
            let text = written { buffer in [byte].withUnsafeBytes { buffer.appendPercentEncoded($0) } }
            let hex = String(byte, radix: 16, uppercase: true)
            let encoded = "%" + (hex.utf8.count == 1 ? "0" : "") + hex
            #expect(text == (QueryTests.unreserved.contains(byte) ? String(UnicodeScalar(byte)) : encoded))
            #expect(text.withBytes { PercentCoding.decode($0) } == [byte])
        }
    }

    @Test func longTextsAreEncodedWhole() {
        let all = [UInt8](0...255) + [UInt8](0...255)
        let parts = all.map { byte in written { buffer in [byte].withUnsafeBytes { buffer.appendPercentEncoded($0) } } }
        let text = written { buffer in
            buffer.append("before=")
            all.withUnsafeBytes { buffer.appendPercentEncoded($0) }
            buffer.append("!")
        }
        #expect(text == "before=" + parts.joined() + "!")
    }

    private func target(_ endpoint: String, sdkKey: String? = nil) -> Result<String, Failure> {
        var state = InstallState(.skan4)
        state.conversion.first = 1
        state.conversion.last = 1
        func url(_ endpoint: UnsafeRawBufferPointer?) -> Result<String, Failure> {
            (sdkKey ?? "").withBytes { sdkKey in
                outcome { () throws(Failure) in
                    let target = try RequestTarget(
                        .skan4, endpoint: endpoint, sdkKey: sdkKey, bundleID: nil, appVersion: nil)
                    let device = try Device(osVersion: nil, idfv: nil, idfa: nil)
                    let event = try Arguments.eventName(nil, isForRequest: true)
                    return text(of: target.url(event: event, device: device, state: state))
                }
            }
        }
        return endpoint.withBytes { url($0) }
    }

    @Test func anEndpointStandsBeforePathAndQuery() {
        let rest =
            "n=__SESSION__&p=iOS&skan_first_call_to_skadnetwork_timestamp=1&skan_last_call_to_skadnetwork_timestamp=1"
        let path = "/api/v2/conversion_value?"
        #expect(target("http://localhost:8080").value == "http://localhost:8080" + path + rest)
        #expect(target("https://a.example/skan/").value == "https://a.example/skan" + path + rest)
        #expect(target("https://a.example//").value == "https://a.example/" + path + rest)
        #expect(target("http://a", sdkKey: "k+1").value == "http://a" + path + "a=k%2B1&" + rest)
        for endpoint in [
            "", "a.example", "ftp://a", "https://", "https://a?b", "https://a#b", "https://a b", "https://é",
            "https://a\u{7F}",
        ] {
            #expect(target(endpoint).failedStatus == "SKAN_ERROR_INVALID_ARGUMENT", "\(endpoint)")
            #expect(target(endpoint).failedMessage?.hasPrefix("endpoint_url: ") == true, "\(endpoint)")
        }
        let longest = "https://" + String(repeating: "a", count: 2040)
        #expect(target(longest).value?.hasPrefix(longest + path) == true)
        #expect(target(longest + "a").failedStatus == "SKAN_ERROR_INVALID_ARGUMENT")
    }

    @Test func aSecretIsNeverInAMessage() {
        for key in ["secret\u{1}", String(repeating: "secret", count: 43)] {
            let failed = target("http://a", sdkKey: key)
            #expect(failed.failedStatus == "SKAN_ERROR_INVALID_ARGUMENT")
            #expect(failed.failedMessage?.contains("sdk_key") == true)
            #expect(failed.failedMessage?.contains("secret") == false)
        }
        #expect(target("https://a.example?key=secret").failedMessage?.contains("secret") == false)
    }
}
