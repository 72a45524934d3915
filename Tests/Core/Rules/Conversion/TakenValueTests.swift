import SKANCore
import Testing

/// Rules, "Taking a value", "SKAN 3 values": whether an install takes a value, and what is then kept of it.
struct TakenValueTests {
    private func install(_ protocolVersion: ProtocolVersion = .skan4) -> InstallState {
        var state = InstallState(protocolVersion)
        (state.first, state.last, state.fine, state.previousFine) = (1000, 2000, 7, 3)
        for window in [Window.first, .second, .third] {
            state.windows[window].coarse = 1
            state.windows[window].previousCoarse = 0
        }
        state.lastUpdate = ValueUpdate(id: 4, window: .first, fine: 7, coarse: 1, timestamp: 2000)
        state.isLastUpdateDelivered = true
        return state
    }

    private func take(
        _ state: inout InstallState, _ fine: UInt8?, _ coarse: UInt8?, locks: Bool = false,
        _ standing: TakenValue.Standing = .any, in window: Window = .first
    ) -> Status {
        let before = state.contents
        let value = TakenValue(fine: fine, coarse: coarse, locksWindow: locks)
        let verdict = state.take(value, standing, in: window, now: 3000)
        #expect(verdict.isChanged == (verdict.status == .ok))
        if !verdict.isChanged { #expect(state.contents == before) }
        return verdict.status
    }

    @Test func whatIsTakenIsTheLastUpdateAndPending() {
        var state = install()
        #expect(take(&state, 9, 2, locks: true) == .ok)
        #expect(state.last == 3000)
        #expect((state.fine, state.previousFine) == (9, 7))
        let window = state.windows[.first]
        #expect((window.coarse, window.previousCoarse, window.lock) == (2, 1, 3000))
        let update = ValueUpdate(id: 5, window: .first, fine: 9, coarse: 2, locksWindow: true, timestamp: 3000)
        #expect(state.lastUpdate == update)
        #expect(!state.isLastUpdateDelivered)
        #expect(state.windows[.second].previousCoarse == 0)
    }

    @Test(arguments: [Window.second, .third]) func laterWindowsLeaveTheFineValue(_ window: Window) {
        var state = install()
        #expect(take(&state, 9, 2, in: window) == .ok)
        #expect((state.fine, state.previousFine) == (7, 3))
        #expect((state.windows[window].coarse, state.windows[window].previousCoarse) == (2, 1))
        #expect(state.windows[.first].coarse == 1)
        // As received, where Apple ignores it.
        #expect(state.lastUpdate?.fine == 9)
        #expect(take(&state, nil, nil, in: window) == .ok)
        #expect((state.windows[window].coarse, state.windows[window].previousCoarse) == (nil, 2))
    }

    @Test(arguments: [Window.first, .second, .third]) func aLockedWindowTakesNothing(_ window: Window) {
        var state = install()
        state.windows[window].lock = 2500
        for standing in [TakenValue.Standing.any, .other, .greater] {
            #expect(take(&state, 7, 1, standing, in: window) == .windowLocked)
            #expect(take(&state, 63, 2, locks: true, standing, in: window) == .windowLocked)
        }
    }

    @Test func theFirstWindowTakesNoCoarseValueAlone() {
        for protocolVersion in [ProtocolVersion.skan4, .skan3] {
            var state = install(protocolVersion)
            #expect(take(&state, nil, 2) == .noNewValue)
            // Also where it is locked.
            state.windows[.first].lock = 2500
            #expect(take(&state, nil, 2) == .noNewValue)
        }
    }

    /// The install has fine 7 and coarse 1.
    @Test(
        arguments: [
            (7, 1, false, .ok, .noNewValue, .noNewValue), (7, 1, true, .ok, .ok, .ok),
            (8, 1, false, .ok, .ok, .ok), (8, 0, false, .ok, .ok, .ok), (8, nil, false, .ok, .ok, .ok),
            (7, 2, false, .ok, .ok, .ok), (7, 0, false, .ok, .ok, .noNewValue), (7, nil, true, .ok, .ok, .noNewValue),
            (6, 1, false, .ok, .ok, .noNewValue), (6, 2, true, .ok, .ok, .noNewValue),
        ] as [(UInt8?, UInt8?, Bool, Status, Status, Status)])
    func inTheFirstWindowFineCountsBeforeCoarse(
        fine: UInt8?, coarse: UInt8?, locks: Bool, any: Status, other: Status, greater: Status
    ) {
        for (standing, status) in [(TakenValue.Standing.any, any), (.other, other), (.greater, greater)] {
            var state = install()
            #expect(take(&state, fine, coarse, locks: locks, standing) == status, "\(standing)")
        }
    }

    @Test(
        arguments: [
            (1, false, .noNewValue, .noNewValue), (1, true, .ok, .ok), (2, false, .ok, .ok),
            (0, true, .ok, .noNewValue), (nil, false, .ok, .noNewValue),
        ] as [(UInt8?, Bool, Status, Status)])
    func inLaterWindowsCoarseCountsAlone(coarse: UInt8?, locks: Bool, other: Status, greater: Status) {
        for fine in [nil, 0, 7, 63] as [UInt8?] {
            for (standing, status) in [(TakenValue.Standing.any, .ok), (.other, other), (.greater, greater)] {
                var state = install()
                #expect(take(&state, fine, coarse, locks: locks, standing, in: .third) == status, "\(standing)")
            }
        }
    }

    @Test func skan3TakesOnlyGreaterValues() {
        for standing in [TakenValue.Standing.any, .other, .greater] {
            var state = install(.skan3)
            for fine in [0, 6, 7] as [UInt8] { #expect(take(&state, fine, nil, standing) == .noNewValue) }
            #expect(take(&state, 8, nil, standing) == .ok)
            #expect((state.fine, state.previousFine, state.last) == (8, 3, 3000))
            #expect(state.windows[.first].coarse == 1)
            // None counts as 0.
            state.fine = nil
            #expect(take(&state, 0, nil, standing) == .noNewValue)
            #expect(take(&state, 1, nil, standing) == .ok)
        }
    }
}
