import SKANCore
import Testing

/// Rules, "Endpoint decisions", "Endpoint users": what an endpoint with models keeps of a user from request to request.
struct EndpointDecisionTests {
    private let first: Int64 = 1_700_000_000

    /// Answers the verdict on a request of a day after the first call, which tells of these more items.
    private func decide(
        _ models: [ConversionModel], _ state: inout InstallState, at now: Int64, telling more: String = ""
    ) -> Verdict? {
        let query =
            "a=k&p=iOS&i=com.app&v=17&n=win&app_v=1&idfv=u&skan_current_conversion_value=0"
            + "&skan_first_call_to_skadnetwork_timestamp=1700000000" + more
        return withQuery(query) { query, memory in
            do throws(EndpointRejection) {
                let request = try EndpointRequest(query, in: memory, .skan4, models: models, now: now)
                var decision = EndpointDecision(request, models: models, now: now)
                return outcome { () throws(Failure) in try decision.run(on: &state) }.value
            } catch {
                Issue.record("\(String(decoding: error.reason.utf8, as: UTF8.self))")
                return nil
            }
        }
    }

    @Test func aRequestsRevenueIsWhatModelsSee() throws {
        let rule = #"{"fine":0,"when":{}},{"fine":7,"when":{"revenue":{"scope":"lifetime","min":5}}}"#
        let model = try ConversionModel.of(rules: [rule, "", ""]).get()
        var (poor, rich) = (InstallState(.skan4), InstallState(.skan4))
        let dollars = "&skan_total_revenue_by_currency=%7B%22USD%22%3A5%7D"
        #expect(decide([model], &poor, at: first)?.status == .noNewValue)
        #expect(decide([model], &rich, at: first, telling: dollars)?.status == .ok)
        // It tells so again each time: nothing of it is kept.
        #expect(rich.revenue.total(.lifetime(.iap), .dollar) == nil)
    }

    @Test func countsOfAUserGoOnAndAUserKeepsTheModel() throws {
        let twice = #"{"fine":0,"when":{}},{"fine":9,"when":{"events":[{"name":"win","min_count":2}]}}"#
        let (old, new) = (
            try ConversionModel.of(rules: [twice, "", ""]).get(),
            try ConversionModel.of(rules: [#"{"fine":1,"when":{}}"#, "", ""]).get()
        )
        var state = InstallState(.skan4)
        _ = decide([old], &state, at: first)
        #expect(state.conversion.model?.version == old.version)
        #expect(decide([new, old], &state, at: first + 60)?.status == .ok)
        #expect(state.conversion.model?.version == old.version)
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
        // Of one whom an earlier server kept without a time it is not known: this is the time.
        state = kept
        state.conversion.last = nil
        #expect(decide([model], &state, at: first)?.isChanged == true)
    }
}
