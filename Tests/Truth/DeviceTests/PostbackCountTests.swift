import SKANSimulatedDevice
import Testing

/// "Who gets how many postbacks", and how values are held.
struct PostbackCountTests {
    @Test func aLaterWindowHasAPostbackOnlyAfterACoarseUpdateInIt() {
        var install = SimulatedInstall.updated
        #expect(install.postbacks().map(\.window) == [0, 1, 2])
        install.updates[2].coarse = nil
        #expect(install.postbacks().map(\.window) == [0, 1])
        install.updates.removeLast(2)
        #expect(install.postbacks().map(\.window) == [0])
    }

    @Test(arguments: [false, true])
    func windowTwoAfterASilentWindowIsReadEitherWay(sends: Bool) {
        var install = SimulatedInstall.updated
        install.readings.sendsAfterSilence = sends
        install.updates.remove(at: 1)
        #expect(install.postbacks().map(\.window) == (sends ? [0, 2] : [0]))
    }

    @Test(arguments: [false, true])
    func laterPostbacksOfRedownloadsAreReadEitherWay(sends: Bool) {
        var install = SimulatedInstall.updated
        install.readings.redownloadsSendLater = sends
        install.isRedownload = true
        #expect(install.postbacks().map(\.window) == (sends ? [0, 1, 2] : [0]))
        #expect(install.postbacks().allSatisfy { $0.isRedownload })
    }

    @Test func anAdThatDidNotWinHasOnePostbackWithoutValueAndSource() throws {
        let lost = try #require(SimulatedInstall.updated.lostPostback())
        #expect(!lost.isWinning)
        #expect(lost.window == 0)
        #expect((lost.fine, lost.coarse) == (nil, nil))
        #expect(lost.source == nil)
    }

    @Test(arguments: [false, true])
    func anUpdateWithoutACoarseValueGivesNone(keeps: Bool) {
        var install = SimulatedInstall()
        install.readings.keepsCoarseValue = keeps
        install.updates = [(0, 0, 0, false), (60 * hour, nil, 2, false), (70 * hour, nil, nil, false)]
        #expect(install.postbacks().map(\.coarse) == [nil, keeps ? 2 : nil])
    }

    @Test func version4TakesLowerValues() {
        var install = SimulatedInstall()
        install.updates = [(0, 9, 2, false), (hour, 3, 1, false)]
        #expect(install.postbacks().first?.fine == 3)
        install.disclosure = Disclosure(.one, digits: 2, country: .zero)
        #expect(install.postbacks().first?.coarse == 1)
    }

    @Test func theFineValueIsIgnoredAfterWindow0() {
        var install = SimulatedInstall.updated
        install.updates[1].fine = 50
        #expect(install.postbacks().map(\.fine) == [0, nil, nil])
    }
}
