import SKANCore
import Testing

/// Rules, "Endpoint decisions", "Test endpoint": what an endpoint answers, byte for byte. EndpointLivesTests compares
/// what comes of the answers. These tests alone judge the fine value and the lock in answers of each window, an answer
/// for an install without a fine value, all answers of the test endpoint, and what is asked for with and without
/// models.
struct EndpointAnswerTests {
    private func answer(
        in window: Window, fine: UInt8? = nil, coarse: UInt8? = nil, locks: Bool = false, installs: UInt8?
    ) -> String {
        let update = ValueUpdate(id: 1, window: window, fine: fine, coarse: coarse, locksWindow: locks, timestamp: 0)
        return writtenJSON { $0.answer(fine: installs, update) }
    }

    @Test func inTheFirstWindowTheValueIsTheUpdates() {
        let expected = #"{"conversion_value":5,"postback_sequence_index":0,"status":"ok"}"#
        #expect(answer(in: .first, fine: 5, installs: 9) == expected)
        // Only the coarse value is new.
        let coarse =
            #"{"conversion_value":9,"skan_updated_coarse_value":1,"postback_sequence_index":0,"status":"ok"}"#
        #expect(answer(in: .first, coarse: 1, installs: 9) == coarse)
        #expect(
            answer(in: .first, installs: nil) == #"{"conversion_value":0,"postback_sequence_index":0,"status":"ok"}"#)
    }

    @Test func inLaterWindowsTheValueIsTheInstalls() {
        let expected =
            #"{"conversion_value":9,"skan_updated_coarse_value":2,"skan_updated_lock_window_value":true,"#
            + #""postback_sequence_index":2,"status":"ok"}"#
        #expect(answer(in: .third, fine: 5, coarse: 2, locks: true, installs: 9) == expected)
    }

    // MARK: Requests of SKAN 3 to an endpoint with and without models

    private static let request =
        "a=k&p=iOS&i=com.app&n=win&app_v=1&idfv=u&first_call_to_skadnetwork_timestamp=1700000000"

    /// The reason that a request is refused for; nil where it is taken, and shown to `body`.
    private func refusal(
        _ query: String, _ models: [ConversionModel], _ protocolVersion: SKANCore.ProtocolVersion = .skan3,
        body: (EndpointRequest) -> Void = { _ in }
    ) -> String? {
        withQuery(query) { query, memory in
            do throws(EndpointRejection) {
                body(try EndpointRequest(query, in: memory, protocolVersion, models: models, now: 1_700_000_000))
                return nil
            } catch {
                return String(decoding: error.reason.utf8, as: UTF8.self)
            }
        }
    }

    @Test func theTestEndpointAnswers0And1And2AndThenNothing() throws {
        var state = InstallState(.skan3)
        var answers: [String] = []
        let refused = refusal(EndpointAnswerTests.request, []) { request in
            for _ in 0..<5 {
                var decision = EndpointDecision(request, models: [], now: 1_700_000_000)
                let verdict = outcome { () throws(Failure) in try decision.run(on: &state) }.value
                var answer = JSONWriter(capacity: 64)
                decision.write(verdict?.status ?? .store, to: &answer)
                answers.append(String(decoding: answer.finish().array, as: UTF8.self))
                #expect(verdict?.isChanged == (verdict?.status == .ok))
            }
        }
        #expect(refused == nil)
        let values = ["0", "1", "2", "\"\"", "\"\""]
        #expect(answers == values.map { #"{"conversion_value":\#($0),"status":"ok"}"# })
    }

    @Test func onlyTheTestEndpointAsksForNoKeyAndNoApp() throws {
        let few = "p=iOS&n=win&idfv=u&first_call_to_skadnetwork_timestamp=1700000000"
        let model = try ConversionModel.of(rules: [#"{"fine":1}"#, "", ""]).get()
        #expect(refusal(few, []) == nil)
        #expect(refusal(few, [model]) == "Conversion Management: Invalid parameter a given")
        #expect(refusal(EndpointAnswerTests.request, [model]) == nil)
    }

    @Test func withoutAModelSKAN4HasNoAnswer() {
        let query =
            "a=k&p=iOS&i=com.app&v=17&n=win&app_v=1&idfv=u&skan_current_conversion_value=3"
            + "&skan_first_call_to_skadnetwork_timestamp=1700000000"
        #expect(
            refusal(query, [], .skan4) == "Conversion Management: Conversion Model not found for app: com.app")
    }
}
