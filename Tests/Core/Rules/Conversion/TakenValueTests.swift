import SKANCore
import Testing

/// Rules, "Taking a value": which value is new beside the one that the window has. What is then kept of it, locked
/// windows, and SKAN 3 are in Tests/Vectors.
struct TakenValueTests {
    /// Whether an install that has fine 7 and coarse 1 takes a value: any, another one, and only a greater one.
    private func statuses(_ fine: UInt8?, _ coarse: UInt8?, locks: Bool, in window: Window) -> [Status] {
        [TakenValue.Standing.any, .other, .greater].map { standing in
            var state = InstallState(.skan4)
            (state.conversion.first, state.conversion.last, state.conversion.fine) = (1000, 2000, 7)
            for window in Window.all { state.conversion.windows[window].coarse = 1 }
            let before = state.contents
            let value = TakenValue(fine: fine, coarse: coarse, locksWindow: locks)
            let verdict = state.conversion.take(value, standing, in: window, after: state.lastUpdateNumber, now: 3000)
            #expect(verdict.isChanged == (verdict.status == .ok))
            #expect(verdict.isChanged == (state.contents != before))
            return verdict.status
        }
    }

    @Test(
        arguments: [
            (7, 1, false, [.ok, .noNewValue, .noNewValue]), (7, 1, true, [.ok, .ok, .ok]),
            (8, 1, false, [.ok, .ok, .ok]), (8, 0, false, [.ok, .ok, .ok]), (8, nil, false, [.ok, .ok, .ok]),
            (7, 2, false, [.ok, .ok, .ok]), (7, 0, false, [.ok, .ok, .noNewValue]),
            (7, nil, true, [.ok, .ok, .noNewValue]), (6, 1, false, [.ok, .ok, .noNewValue]),
            (6, 2, true, [.ok, .ok, .noNewValue]),
        ] as [(UInt8?, UInt8?, Bool, [Status])])
    func inTheFirstWindowFineCountsBeforeCoarse(fine: UInt8?, coarse: UInt8?, locks: Bool, expected: [Status]) {
        #expect(statuses(fine, coarse, locks: locks, in: .first) == expected)
    }

    @Test(
        arguments: [
            (1, false, [.ok, .noNewValue, .noNewValue]), (1, true, [.ok, .ok, .ok]), (2, false, [.ok, .ok, .ok]),
            (0, true, [.ok, .ok, .noNewValue]), (nil, false, [.ok, .ok, .noNewValue]),
        ] as [(UInt8?, Bool, [Status])])
    func inLaterWindowsCoarseCountsAlone(coarse: UInt8?, locks: Bool, expected: [Status]) {
        for fine in [nil, 0, 7, 63] as [UInt8?] {
            #expect(statuses(fine, coarse, locks: locks, in: .third) == expected)
        }
    }
}
