import SKANSimulatedDevice
import Testing

/// "Fields": what is signed, in which order, and what is in the body.
struct PostbackTextTests {
    private func signed(_ postback: Postback?) throws -> [String] {
        let text = PostbackText(try #require(postback), transaction: "t-1").signed
        return String(decoding: text, as: UTF8.self).split(separator: "\u{2063}").map(String.init)
    }

    private func body(_ postback: Postback?) throws -> String {
        String(decoding: PostbackText(try #require(postback), transaction: "t-1").body(signature: []), as: UTF8.self)
    }

    @Test func version4SignsItsFieldsInOrder() throws {
        var install = SimulatedInstall.updated
        #expect(
            try signed(install.postbacks().first) == [
                "4.0", "network-0.example", "5239", "525463029", "t-1", "false", "1234567890", "1", "true", "0",
            ])
        install.disclosure = Disclosure(.two, digits: 3, country: .zero)
        #expect(
            try signed(install.postbacks().first) == [
                "4.0", "network-0.example", "239", "525463029", "t-1", "false", "1", "true", "0",
            ])
        #expect(
            try signed(install.lostPostback()) == [
                "4.0", "network-0.example", "239", "525463029", "t-1", "false", "1", "false", "0",
            ])
    }

    @Test func aWebsiteStandsInPlaceOfTheSourceApp() throws {
        var install = SimulatedInstall.updated
        install.ad = Ad(.skan4, network: 1, identifier: 5239, source: .domain(0), country: 0)
        let postback = install.postbacks().first
        #expect(try signed(postback)[6] == "site-0.example")
        #expect(try body(postback).contains(#""source-domain":"site-0.example""#))
        #expect(try !body(postback).contains("source-app-id"))
    }

    @Test func version3SignsTheCampaignAndNoIndex() throws {
        var install = SimulatedInstall.updated
        install.ad = Ad(.skan3, network: 0, identifier: 42, source: .app(0), country: 0)
        let postback = install.postbacks().first
        #expect(
            try signed(postback) == [
                "3.0", "network-0.example", "42", "525463029", "t-1", "false", "1234567890", "1", "true",
            ])
        #expect(try body(postback).contains(#""campaign-id":42,"#))
        #expect(try !body(postback).contains("postback-sequence-index"))
    }

    @Test func aBodyHasEitherAFineOrACoarseValue() throws {
        let bodies = try SimulatedInstall.updated.postbacks().map { try body($0) }
        #expect(bodies.map { $0.contains(#""conversion-value":0"#) } == [true, false, false])
        #expect(
            bodies.map { $0.contains("coarse-conversion-value") } == [false, true, true])
        #expect(bodies[2].contains(#""coarse-conversion-value":"high""#))
        #expect(bodies.map { $0.contains(#""country-code":"US""#) } == [true, false, false])
    }
}
