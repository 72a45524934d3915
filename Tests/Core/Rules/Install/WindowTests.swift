import SKANCore
import Testing

/// Rules, "Windows", "SKAN 3": the postback window at a time. The lives of Tests/Vectors judge each border. These tests
/// alone judge it for first calls at both ends of what a record may hold, and judge the starts, ends and days of windows
/// that other modules read.
struct WindowTests {
    private static let starts: [Int64] = [0, 1_643_393_464, -62_135_596_800, -1, 9_223_372_036_854, -9_223_372_036_854]

    @Test(
        arguments: [
            (Int64.min / 4, .first), (-1, .first), (0, .first), (172_799, .first), (172_800, .second),
            (604_799, .second), (604_800, .third), (3_023_999, .third), (3_024_000, nil), (Int64.max / 4, nil),
        ] as [(Int64, Window?)])
    func skan4CountsFromTheFirstCall(elapsed: Int64, window: Window?) {
        for first in WindowTests.starts {
            #expect(Window.skan4(first: first, now: first + elapsed) == window, "first call at \(first)")
        }
    }

    @Test(
        arguments: [
            (Int64.min / 4, true), (-1, true), (0, true), (86_399, true), (86_400, false), (172_800, false),
            (Int64.max / 4, false),
        ] as [(Int64, Bool)])
    func skan3IsOpenADayAfterTheLastValue(elapsed: Int64, isOpen: Bool) {
        for last in WindowTests.starts {
            #expect(Window.skan3(last: last, now: last + elapsed) == (isOpen ? .first : nil), "last call at \(last)")
        }
    }

    /// Windows follow each other without a gap, and number themselves as the protocol does.
    @Test func eachWindowBeginsWhereTheOneBeforeEnds() {
        let windows = Array(Window.all)
        #expect(windows == [.first, .second, .third])
        #expect(windows.map { Int($0.rawValue) } == Array(0..<Window.count))
        #expect(windows.last == Window.last)
        #expect(ProtocolVersion.skan4.windowCount == Window.count && ProtocolVersion.skan3.windowCount == 1)
        #expect(windows.first?.days.lowerBound == 0)
        for (window, next) in zip(windows, windows.dropFirst()) {
            #expect(window.days.upperBound == next.days.lowerBound)
        }
        for first in WindowTests.starts {
            for window in windows {
                let start = Window.skan4Start(window, first: first)
                #expect(Window.skan4(first: first, now: start) == window)
            }
            let end = Window.skan4End(first: first)
            #expect(Window.skan4(first: first, now: end - 1) == .last)
            #expect(Window.skan4(first: first, now: end) == nil)
        }
    }

    /// The first second at which no window is open, also where that is later than any clock shows.
    @Test func anInstallKnowsWhenItCloses() {
        for protocolVersion in [ProtocolVersion.skan4, .skan3] {
            var state = InstallState(protocolVersion)
            #expect(state.closesAt == nil)
            #expect(state.conversion.window(at: 0) == nil)
            #expect(state.conversion.openWindow(at: 0).otherwise == .notRegistered)
            for start in WindowTests.starts {
                // SKAN 4 counts from the first call, SKAN 3 from the last one.
                let isFirst = protocolVersion == .skan4
                (state.conversion.first, state.conversion.last) = isFirst ? (start, start + 7) : (start - 7, start)
                let closes = start + (isFirst ? 35 : 1) * 86_400
                #expect(state.closesAt == closes)
                #expect(state.conversion.window(at: closes - 1) != nil)
                #expect(state.conversion.window(at: closes) == nil)
                #expect(state.conversion.openWindow(at: closes).otherwise == .windowClosed)
            }
        }
    }
}
