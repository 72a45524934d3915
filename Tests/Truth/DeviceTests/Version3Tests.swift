import SKANSimulatedDevice
import Testing

/// Postbacks of ads that were signed with version 3.
struct Version3Tests {
    private var install: SimulatedInstall {
        var install = SimulatedInstall.updated
        install.ad = Ad(.skan3, network: 0, identifier: 42, source: .app(0), country: 0)
        return install
    }

    @Test func thereIsOnePostbackWithAFineValueAlone() throws {
        let postbacks = install.postbacks()
        #expect(postbacks.map(\.window) == [0])
        let postback = try #require(postbacks.first)
        #expect(postback.identifier == 42)
        #expect((postback.fine, postback.coarse) == (0, nil))
    }

    @Test func eachHigherValueRestartsATimerOf24Hours() {
        var install = install
        install.updates = [(0, 1, 0, false), (20 * hour, 2, 0, false), (43 * hour, 3, 0, false)]
        #expect(install.postbacks().first?.fine == 3)
        #expect(install.hours(window: 0) == 67...90)
    }

    @Test func lowerAndEqualValuesAreNotTaken() {
        var install = install
        install.updates = [(0, 5, 0, false), (10 * hour, 3, 0, false), (20 * hour, 5, 0, false)]
        #expect(install.postbacks().first?.fine == 5)
        #expect(install.hours(window: 0) == 24...47)
    }

    @Test func aValueAfterTheTimerHasEndedIsNotTaken() {
        var install = install
        install.updates = [(0, nil, nil, false), (25 * hour, 7, 0, false)]
        #expect(install.postbacks().first?.fine == nil)
        #expect(install.hours(window: 0) == 24...47)
    }

    @Test func aWebsiteIsNoSource() {
        var install = install
        install.ad = Ad(.skan3, network: 0, identifier: 42, source: .domain(0), country: 0)
        #expect(install.postbacks().first?.fine == 0)
        #expect(install.postbacks().first?.source == nil)
    }

    @Test func anAdThatDidNotWinHasThePostbackOfItsOwnVersion() {
        let lost = install.lostPostback()
        #expect(lost?.version == .skan3)
        #expect((lost?.fine, lost?.source) == (nil, nil))
    }
}
