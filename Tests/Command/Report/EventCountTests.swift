import SKANCore
import Testing

@testable import SKANCommandReport

/// What postbacks prove about events. The windows report on the same installs.
struct EventCountTests {
    @Test func eachNameHasOneNumberHoweverOftenItComes() {
        var names = EventNames()
        #expect(names.numbers(of: [UInt8]("level_10,purchase".utf8)) == [0, 1])
        #expect(names.numbers(of: [UInt8]("purchase".utf8)) == [1])
        #expect(names.numbers(of: []) == [])
        #expect(names.names == [[UInt8]("level_10".utf8), [UInt8]("purchase".utf8)])
    }

    @Test func soManyInstallsHadAnEventAsTheWindowWithMostProves() {
        var counts = EventCounts()
        for window in [Window.first, .first, .last] { counts.add(1, window) }
        #expect(counts.installs(with: 1) == 2)
        #expect(counts.installs(with: 0) == 0 && counts.installs(with: 7) == 0)
    }

    @Test func linesAreAddedWindowByWindow() {
        var (one, other) = (EventCounts(), EventCounts())
        one.add(0, .first)
        one.add(0, .last)
        other.add(0, .last)
        other.add(2, .first)
        one.add(other)
        #expect(one.installs(with: 0) == 2 && one.installs(with: 2) == 1)
    }
}
