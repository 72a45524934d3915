import SKANCore
import Testing

/// Rules, "Windows": an install's window never goes back, whatever a clock shows. Lives in models_told and
/// reengagements_told have a clock that is a second behind, and one that is more than an hour behind. These tests alone
/// judge every combination of windows, both sides of the hour in each window, first calls up to 1970, and an answer
/// that locks or that is of another window while the clock is behind.
struct LatestWindowTests {
    private let paying = [
        #"{"fine":1,"when":{}},{"fine":9,"when":{"revenue":{"min":5}}}"#,
        #"{"coarse":0,"when":{}},{"coarse":1,"when":{"revenue":{"min":5}}}"#, "",
    ]

    /// With a model, the latest of three windows holds: the clock's, the one of the counts, the one of the last update.
    @Test(arguments: Array(Window.all), Array(Window.all))
    func theWindowIsTheLatestThatIsKnown(_ counted: Window, _ updated: Window) throws {
        let model = try ConversionModel.of(rules: paying).get()
        for first in [-1, 0, 1_700_000_000] as [Int64] {
            for clock in Window.all {
                var conversion = Conversion(.skan4)
                (conversion.first, conversion.last) = (first, first)
                var counts = InstallModel(model)
                _ = counts.enter(counted, lifetime: 0)
                conversion.model = counts
                conversion.lastUpdate = ValueUpdate(id: 1, window: updated, fine: 1, timestamp: first)
                let latest = max(counted.rawValue, updated.rawValue, clock.rawValue)
                for now in [Window.skan4Start(clock, first: first), Window.skan4End(clock, first: first) - 1] {
                    let time = max(now, Window.skan4Start(Window(rawValue: latest) ?? .last, first: first))
                    #expect(conversion.window(at: now)?.rawValue == latest)
                    #expect(conversion.time(now) == time)
                }
                #expect(conversion.window(at: Window.skan4End(first: first)) == nil)
            }
        }
    }

    /// Two hosts with an endpoint: its answer is applied in the window of the last update.
    @Test func anAnswerIsAppliedInTheWindowOfTheLastUpdate() throws {
        var state = InstallState(.skan4)
        var registration = Registration(now: 0)
        _ = try registration.run(on: &state)
        #expect(apply(#"{"conversion_value":3,"skan_updated_coarse_value":0}"#, at: 604_800, on: &state) == .ok)
        #expect(state.conversion.lastUpdate?.window == .third)
        let late = #"{"conversion_value":4,"skan_updated_coarse_value":2,"skan_updated_lock_window_value":true}"#
        let stale = #"{"conversion_value":4,"postback_sequence_index":1}"#
        #expect(apply(stale, at: 604_799, on: &state) == .staleResponse)
        #expect(apply(late, at: 604_799, on: &state) == .ok)
        #expect(state.conversion.lastUpdate?.window == .third)
        #expect(state.conversion.windows[.second].coarse == nil && state.conversion.windows[.third].coarse == 2)
        #expect(state.conversion.windows[.third].lock == 604_800 && state.conversion.last == 604_800)
    }

    /// Without a model, a clock that is more than an hour before the latest window was set back on purpose.
    @Test func onlyAModelHoldsTheWindowAgainstAClockThatWasSetBack() throws {
        let model = try ConversionModel.of(rules: paying).get()
        for first in [-1, 0, 1_700_000_000] as [Int64] {
            for window in [Window.second, .third] {
                let start = Window.skan4Start(window, first: first)
                var conversion = Conversion(.skan4)
                (conversion.first, conversion.last) = (first, first)
                conversion.lastUpdate = ValueUpdate(id: 1, window: window, fine: 1, timestamp: first)
                #expect(conversion.time(start - 3600) == start)
                #expect(conversion.window(at: start - 3600) == window)
                #expect(conversion.time(start - 3601) == start - 3601)
                #expect(conversion.window(at: start - 3601)?.rawValue == window.rawValue - 1)
                #expect(conversion.time(.min) == .min)
                conversion.model = InstallModel(model)
                #expect(conversion.time(start - 3601) == start)
                #expect(conversion.time(.min) == start)
            }
        }
    }

    private func apply(_ body: String, at now: Int64, on state: inout InstallState) -> Status? {
        body.withBytes { body in
            outcome { () throws(Failure) in
                var application = ResponseApplication(response: try Response(body, .skan4), ticket: 0, now: now)
                return try application.run(on: &state).status
            }
        }.value
    }
}
