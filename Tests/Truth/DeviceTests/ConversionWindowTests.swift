import SKANSimulatedDevice
import Testing

/// Apple's table of windows and delays, row by row.
struct ConversionWindowTests {
    @Test(arguments: [(0, 72, 96), (1, 192, 312), (2, 864, 984)] as [(Int, Int64, Int64)])
    func aPostbackComesAfterTheEndOfItsWindowAndADelay(_ window: Int, _ first: Int64, _ end: Int64) {
        #expect(SimulatedInstall.updated.hours(window: window) == first...end - 1)
    }

    @Test(arguments: [(0, 1, 48), (1, 60, 144), (2, 200, 144)] as [(Int, Int64, Int64)])
    func aLockStartsTheDelayAtOnce(_ window: Int, _ locked: Int64, _ delay: Int64) {
        var install = SimulatedInstall.updated
        install.updates[window].time = locked * hour
        install.updates[window].locks = true
        if window == 0 { install.updates.insert((0, 0, 0, false), at: 0) }
        #expect(install.hours(window: window) == locked + 24...locked + delay - 1)
    }

    @Test func aLockEndsTheUpdatesOfItsWindowAndBeginsNoOther() {
        var install = SimulatedInstall()
        install.updates = [(0, 1, 0, true), (hour, 2, 2, false), (60 * hour, nil, 1, false)]
        #expect(install.postbacks().map(\.fine) == [1, nil])
        #expect(install.postbacks().map(\.coarse) == [nil, 1])
        // After a lock in window 1, window 2 still begins on day 8.
        install.updates = [(0, 1, 0, true), (60 * hour, nil, 1, true), (100 * hour, nil, 2, false)]
        #expect(install.postbacks().map(\.window) == [0, 1])
        install.updates.append((168 * hour + 1, nil, 0, false))
        #expect(install.postbacks().map(\.coarse) == [nil, 1, 0])
    }

    @Test(arguments: [(48, 0), (168, 1), (840, 2)] as [(Int64, Int)])
    func anUpdateBelongsToTheWindowOfItsTime(_ end: Int64, _ window: Int) {
        for (time, belongs) in [(end * hour - 1, true), (end * hour + 1, false)] {
            var install = SimulatedInstall()
            install.disclosure = Disclosure(.one, digits: 2, country: .zero)
            install.updates = [(0, 0, 0, false), (time, 1, 2, false)]
            #expect(install.postbacks().contains { $0.window == window && $0.coarse == 2 } == belongs)
        }
    }

    @Test(arguments: [false, true])
    func theSecondInWhichAWindowEndsBelongsToEitherOne(isOfItsWindow: Bool) {
        var install = SimulatedInstall()
        install.readings.hasItsLastSecond = isOfItsWindow
        install.updates = [(0, 0, 0, false), (48 * hour, 1, 2, false)]
        #expect(install.postbacks().map(\.window) == (isOfItsWindow ? [0] : [0, 1]))
        #expect(install.postbacks().first?.fine == (isOfItsWindow ? 1 : 0))
    }

    @Test func windowsBeginWithTheFirstUpdate() {
        var install = SimulatedInstall()
        install.updates = [(100 * hour, 3, 0, false), (147 * hour, 4, 0, false), (149 * hour, 5, 1, false)]
        #expect(install.postbacks().map(\.fine) == [4, nil])
        #expect(install.hours(window: 0) == 172...195)
    }

    @Test func theFirstUpdateHasToComeWithin60Days() {
        var install = SimulatedInstall()
        install.updates = [(60 * 24 * hour + 1, 1, 0, false)]
        #expect(install.postbacks() == [])
        install.updates = [(60 * 24 * hour - 1, 1, 0, false)]
        #expect(install.postbacks().count == 1)
    }

    @Test func aFailedDeliveryIsRepeatedNineTimesInNineDays() {
        var chance = Chance(seed: 1)
        var days: Set<Int64?> = []
        for _ in 0..<10_000 { days.insert(Delivery.arrival(of: 0, failing: 0.7, &chance).map { $0 / (24 * hour) }) }
        #expect(days == Set([nil] + (0...9).map { $0 }))
    }
}
