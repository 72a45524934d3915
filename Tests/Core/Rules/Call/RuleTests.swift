import SKANCore
import Testing

/// What the rules keep besides what the traces of Tests/Vectors show. These tests alone notice which calls leave a
/// record to be saved and which do not, which of two reasons an answer is refused for, and with which outcomes the
/// event id of a request is remembered.
struct RuleTests {
    private func state(registeredAt first: Int64? = 0) -> InstallState {
        var state = InstallState(.skan4)
        (state.conversion.first, state.conversion.last) = (first, first)
        return state
    }

    private func run<R: Rule>(_ rule: R, on state: inout InstallState) -> String {
        var rule = rule
        let result = outcome { () throws(Failure) in try rule.run(on: &state) }
        return result.failedStatus ?? result.value.map { "\($0.status), \($0.isChanged ? "changed" : "unchanged")" }
            ?? ""
    }

    // MARK: Revenue

    private func revenue(
        _ units: Int128, _ kind: RevenueKind = .iap, id: String? = nil, at now: Int64 = 0, on state: inout InstallState
    ) -> String {
        func run(_ id: UnsafeRawBufferPointer?, _ state: inout InstallState) -> String {
            self.run(
                RevenueUpdate(amount: Money(units: units), currency: .dollar, kind: kind, eventID: id, now: now),
                on: &state)
        }
        guard let id else { return run(nil, &state) }
        return Array(id.utf8).withUnsafeBytes { run($0, &state) }
    }

    @Test func nothingIsCountedTwiceAndNothingMakesNoEntry() {
        var state = state()
        #expect(revenue(0, on: &state) == "SKAN_OK, unchanged")
        #expect(revenue(0, id: "a", on: &state) == "SKAN_OK, changed")
        #expect(revenue(5, id: "a", on: &state) == "SKAN_DUPLICATE_EVENT, unchanged")
        #expect(state.revenue.isEmpty)
        #expect(revenue(5, .ad, id: "b", on: &state) == "SKAN_OK, changed")
        #expect(revenue(-5, .ad, id: "b", on: &state) == "SKAN_DUPLICATE_EVENT, unchanged")
        #expect(state.revenue.count == 2)
        #expect(state.events.count(.events) == 0)
    }

    // MARK: Answers

    private func apply(
        _ body: String, ticket: UInt64 = 0, id: String? = nil, at now: Int64 = 0, on state: inout InstallState
    ) -> String {
        let read = body.withBytes { body in
            outcome { () throws(Failure) in try Response(body, state.conversion.protocolVersion) }
        }
        guard let response = read.value else { return read.failedStatus ?? "" }
        let application = ResponseApplication(response: response, ticket: ticket, now: now)
        guard let id else { return run(application, on: &state) }
        return Array(id.utf8).withUnsafeBytes { id in
            run(ConversionUpdate(eventID: id, application: application), on: &state)
        }
    }

    /// The first reason in the order of Rules, "Apply response", is the answer.
    @Test func reasonsComeInOrder() {
        let stale = #"{"skan_updated_coarse_value":1,"postback_sequence_index":1,"status":"ok"}"#
        let coarse = #"{"skan_updated_coarse_value":1,"status":"ok"}"#
        var install = state(registeredAt: nil)
        #expect(apply(#"{"status":"ok"}"#, on: &install) == "SKAN_NOT_REGISTERED, unchanged")
        #expect(apply(stale, on: &install) == "SKAN_NOT_REGISTERED, unchanged")
        install = state()
        install.conversion.newestTicket = 10
        install.conversion.windows[.first].lock = 1
        #expect(apply(#"{"status":"ok"}"#, at: 3_024_000, on: &install) == "SKAN_WINDOW_CLOSED, unchanged")
        #expect(apply(stale, at: 3_024_000, on: &install) == "SKAN_WINDOW_CLOSED, unchanged")
        #expect(apply(#"{"status":"ok"}"#, ticket: 9, on: &install) == "SKAN_NO_NEW_VALUE, unchanged")
        #expect(apply(stale, on: &install) == "SKAN_STALE_RESPONSE, unchanged")
        #expect(apply(coarse, ticket: 9, on: &install) == "SKAN_STALE_RESPONSE, unchanged")
        #expect(apply(coarse, on: &install) == "SKAN_NO_NEW_VALUE, unchanged")
        #expect(apply(#"{"conversion_value":1}"#, on: &install) == "SKAN_WINDOW_LOCKED, unchanged")
        // The next window has a lock of its own, and takes a coarse value alone.
        #expect(apply(stale, at: 172_800, on: &install) == "SKAN_OK, changed")
        #expect(
            install.conversion.windows[.second].coarse == 1 && install.conversion.last == 172_800
                && install.conversion.fine == nil)
    }

    @Test func anEventIDIsRememberedWithEveryOutcomeButNotRegistered() {
        var install = state(registeredAt: nil)
        #expect(apply(#"{"conversion_value":1}"#, id: "a", on: &install) == "SKAN_NOT_REGISTERED, unchanged")
        install = state()
        install.conversion.windows[.first].lock = 1
        for (id, body, now, status) in [
            ("a", #"{"status":"ok"}"#, Int64(0), "SKAN_NO_NEW_VALUE"),
            ("b", #"{"conversion_value":1}"#, 0, "SKAN_WINDOW_LOCKED"),
            ("c", #"{"conversion_value":1,"postback_sequence_index":2}"#, 0, "SKAN_STALE_RESPONSE"),
            ("d", #"{"conversion_value":1}"#, 172_800, "SKAN_OK"),
            ("e", #"{"conversion_value":1}"#, 3_024_000, "SKAN_WINDOW_CLOSED"),
        ] {
            #expect(apply(body, id: id, at: now, on: &install) == "\(status), changed")
            #expect(apply(body, id: id, at: now, on: &install) == "SKAN_DUPLICATE_EVENT, unchanged")
        }
        #expect(install.events.count(.events) == 5 && install.events.count(.purchases) == 0)
    }

    // MARK: Pending

    @Test func whatIsSaidAgainIsNoChange() {
        var state = state()
        #expect(apply(#"{"conversion_value":5}"#, on: &state) == "SKAN_OK, changed")
        for isDelivered in [true, false] {
            for change in ["changed", "unchanged"] {
                let told = CallAcknowledgement(1) { _ in (1, isDelivered ? .delivered : .failed) }
                #expect(run(ReengagementRule(told), on: &state) == "SKAN_OK, \(change)")
            }
        }
    }
}
