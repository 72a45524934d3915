import SKANCore
import Testing

/// Rules, "Endpoint decisions", "Endpoint users": what an endpoint with models keeps of a user from request to request.
/// The clock of EndpointLivesTests never goes back, and no test of the server sees a save that is left out. These tests
/// alone judge a user's window where a clock is behind, and when a user who is only seen is saved.
struct EndpointDecisionTests {
    private let first: Int64 = 1_700_000_000

    /// The verdict on a request.
    private func decide(
        _ models: [ConversionModel], older: [ConversionModel]? = nil, _ state: inout InstallState, at now: Int64
    ) -> Verdict? {
        let older = older.map { OlderModels($0, hasTest: true) }
        let query =
            "a=k&p=iOS&i=com.app&v=17&n=win&app_v=1&idfv=u&skan_current_conversion_value=0"
            + "&skan_first_call_to_skadnetwork_timestamp=1700000000"
        return withQuery(query) { query, memory in
            do throws(EndpointRejection) {
                let request = try EndpointRequest(query, in: memory, .skan4, models: models, older: older, now: now)
                var decision = EndpointDecision(request, models: models, older: older, now: now)
                return outcome { () throws(Failure) in try decision.run(on: &state) }.value
            } catch {
                Issue.record("\(String(decoding: error.reason.utf8, as: UTF8.self))")
                return nil
            }
        }
    }

    /// Rules, "Kept models".
    @Test func aUserStaysWithAnOlderModelThatNewUsersDoNotGet() throws {
        let old = try ConversionModel.of(rules: [#"{"fine":1,"when":{}}"#, "", ""]).get()
        let new = try ConversionModel.of(rules: [#"{"fine":2,"when":{}}"#, "", ""]).get()
        var user = InstallState(.skan4)
        #expect(decide([old], &user, at: first)?.status == .ok)
        // MODEL_UNKNOWN.
        var changed = user
        #expect(decide([new], &changed, at: first) == nil)
        for models in [[new], []] {
            var known = user
            #expect(decide(models, older: [old], &known, at: first)?.status == .ok)
            #expect(known.conversion.model?.isOf(old.version) == true)
        }
        var other = InstallState(.skan4)
        #expect(decide([new], older: [old], &other, at: first)?.status == .ok)
        #expect(other.conversion.model?.isOf(new.version) == true)
        var unknown = InstallState(.skan4)
        #expect(decide([], older: [old], &unknown, at: first)?.status == .rejected)
        #expect(unknown.conversion.model == nil)
    }

    /// The clock of the second host is a second behind, and the event is not one that the model counts.
    @Test func theWindowOfAUserNeverGoesBack() throws {
        let windows = [#"{"fine":1,"when":{}}"#, #"{"coarse":1,"when":{}}"#, ""]
        let model = try ConversionModel.of(rules: windows).get()
        var state = InstallState(.skan4)
        _ = decide([model], &state, at: first)
        #expect(state.conversion.model?.window == .first)
        for now in [first + 172_800, first + 172_799] {
            #expect(decide([model], &state, at: now)?.status == .ok)
            #expect(state.conversion.model?.window == .second)
            #expect(state.conversion.window(at: now) == .second)
        }
    }

    @Test func whoIsOnlySeenIsWrittenDownOnceADay() throws {
        let model = try ConversionModel.of(rules: ["", "", ""]).get()
        var state = InstallState(.skan4)
        _ = decide([model], &state, at: first)
        #expect(state.conversion.last == first)
        let kept = state
        #expect(decide([model], &state, at: first + 86_399)?.isChanged == false)
        state = kept
        #expect(decide([model], &state, at: first + 86_400)?.isChanged == true)
        #expect(state.conversion.last == first + 86_400)
    }
}
