import SKANSimulatedDevice
import Testing

/// Postbacks of AdAttributionKit's ads.
struct AttributionKitDeviceTests {
    private var install: SimulatedInstall {
        var install = SimulatedInstall.updated
        install.ad = Ad(.adAttributionKit, network: 0, identifier: 5239, source: .app(0), country: 0)
        return install
    }

    /// The three parts of the body's JWS, decoded, and the rest of the body.
    private func parts(_ postback: Postback?) throws -> (header: String, payload: String, rest: String) {
        let text = PostbackText(try #require(postback), transaction: "t-1")
        let body = String(decoding: text.body(signature: Array("c2ln".utf8)), as: UTF8.self)
        #expect(body.hasPrefix(#"{"jws-string":""#))
        let pieces = body.dropFirst(15).split(separator: "\"", maxSplits: 1)
        let parts = try #require(pieces.first).split(separator: ".")
        #expect(parts.count == 3)
        #expect(parts.last == "c2ln")
        #expect(parts.prefix(2).joined(separator: ".") == String(decoding: text.signed, as: UTF8.self))
        return (try decoded(parts[0]), try decoded(parts[1]), String(pieces[1]))
    }

    private func decoded(_ part: Substring) throws -> String {
        var numbers: [UInt8] = []
        var (bits, count) = (0, 0)
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        for letter in part.utf8 {
            bits = bits << 6 | (try #require(letters.firstIndex(of: letter)))
            count += 6
            if count >= 8 {
                count -= 8
                numbers.append(UInt8(bits >> count & 255))
            }
        }
        return String(decoding: numbers, as: UTF8.self)
    }

    @Test func theHeaderNamesApplesKeyAndES256() throws {
        #expect(try parts(install.postbacks().first).header == #"{"alg":"ES256","kid":"apple-cas-identifier/0"}"#)
    }

    @Test func thePayloadIsSignedAndTheValueIsNot() throws {
        let found = try parts(install.postbacks().first)
        #expect(
            found.payload == #"{"postback-identifier":"t-1","ad-network-identifier":"network-0.example","#
                + #""advertised-item-identifier":525463029,"source-identifier":"5239","did-win":true,"#
                + #""postback-sequence-index":0,"conversion-type":"download","#
                + #""publisher-item-identifier":1234567890,"marketplace-identifier":"com.apple.AppStore"}"#)
        #expect(found.rest == #","conversion-value":0,"country-code":"US"}"#)
    }

    @Test func laterPostbacksHaveTwoDigitsAndACoarseValue() throws {
        let later = install.postbacks().dropFirst()
        #expect(later.map(\.window) == [1, 2])
        for postback in later {
            let found = try parts(postback)
            #expect(found.payload.contains(#""source-identifier":"39""#))
            #expect(found.payload.contains("marketplace-identifier"))
            #expect(!found.payload.contains("publisher-item-identifier"))
            #expect(found.rest.contains("coarse-conversion-value"))
            #expect(!found.rest.contains("country-code"))
        }
    }

    @Test func tier0HasNoMarketplaceAndNoLaterPostback() throws {
        var install = install
        install.disclosure = Disclosure(.zero, digits: 2, country: .zero)
        let postbacks = install.postbacks()
        #expect(postbacks.map(\.window) == [0])
        let found = try parts(postbacks.first)
        #expect(!found.payload.contains("marketplace-identifier"))
        #expect(found.rest == "}")
    }

    @Test func aRedownloadHasItsConversionType() throws {
        var install = install
        install.isRedownload = true
        #expect(try parts(install.postbacks().first).payload.contains(#""conversion-type":"redownload""#))
    }

    @Test(arguments: [false, true])
    func anUpdateWithoutACoarseValueIsReadEitherWay(sends: Bool) {
        var install = install
        install.readings.kitSendsWithoutCoarse = sends
        install.updates[1].coarse = nil
        #expect(install.postbacks().map(\.window) == (sends ? [0, 1, 2] : [0, 2]))
        #expect(install.postbacks().map(\.coarse) == (sends ? [nil, nil, 2] : [nil, 2]))
    }

    @Test func anAdThatDidNotWinSaysSo() throws {
        let found = try parts(install.lostPostback())
        #expect(found.payload.contains(#""did-win":false"#))
        #expect(!found.payload.contains("publisher-item-identifier"))
        #expect(found.rest == "}")
    }
}
