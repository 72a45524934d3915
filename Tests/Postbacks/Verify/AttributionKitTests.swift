import SKANCore
import SKANPostbackVerification
import Testing

/// Rules, "AdAttributionKit signatures", "Re-engagements".
struct AttributionKitTests {
    private let keys = Signer.shared.keys

    @Test(
        arguments: [
            (#"{"alg":"ES256","kid":"test/0"}"#, Signer.payload, "valid", nil),
            (#"{"alg":"ES256","kid":"test-development/0"}"#, Signer.payload, "development", nil),
            (#"{"alg":"ES256","kid":"test\/0"}"#, Signer.payload, "valid", nil),
            (#"{"alg":"ES384","kid":"test/0"}"#, Signer.payload, "malformed", "alg"),
            (#"{"alg":"none","kid":"nobody"}"#, Signer.payload, "malformed", "alg"),
            (#"{"kid":"test/0"}"#, Signer.payload, "malformed", "alg"),
            (#"{"alg":"ES256"}"#, Signer.payload, "unverifiable", "kid"),
            (#"{"alg":"ES256","kid":7}"#, Signer.payload, "unverifiable", "kid"),
            // Of SKAdNetwork.
            (#"{"alg":"ES256","kid":"4.0"}"#, Signer.payload, "unverifiable", "kid"),
            (#"{"alg":"ES256","kid":"test-p192/0"}"#, Signer.payload, "unverifiable", "kid"),
            (#"{"alg":"ES256","kid":"test/0","crit":["b64"]}"#, Signer.payload, "unverifiable", "crit"),
            (#"{"alg":"ES256","kid":"nobody"}"#, "{}", "unverifiable", "kid"),
            (#"{"alg":"ES256","kid":"test/0"}"#, "[]", "malformed", "payload"),
            (#"{"alg":"ES256","kid":"test/0"}"#, "{}", "malformed", "postback-identifier"),
            (
                #"{"alg":"ES256","kid":"test/0"}"#, #"{"postback-identifier":"p","ad-network-identifier":null}"#,
                "malformed", "ad-network-identifier"
            ),
        ] as [(String, String, String, String?)])
    func aJWSIsCheckedInOrder(_ header: String, _ payload: String, _ result: String, _ field: String?) throws {
        let postback = try verified(Signer.shared.jws(header, payload), keys: keys)
        #expect(postback.result.name.description == result)
        #expect(postback.problemField?.description == field)
        #expect(signedFields(postback).count == (field == nil ? 6 : 0))
    }

    @Test(arguments: [
        (#"{"jws-string":7}"#, "jws-string"), (#"{"jws-string":""}"#, "jws-string"),
        (#"{"jws-string":"a.b"}"#, "jws-string"), (#"{"jws-string":"e30=.e30.e30"}"#, "header"),
        (#"{"jws-string":"e30.e30.!"}"#, "signature"), (#"{"jws-string":"e30.e30.AAAA"}"#, "alg"),
        (#"{"jws-string":"bnVsbA.e30.AAAA"}"#, "header"),
        (#"{"jws-string":"eyJhbGciOiJFUzI1NiJ9.e30.AAAA"}"#, "signature"),
    ])
    func aMalformedJWSNamesItsPart(_ body: String, _ field: String) throws {
        let postback = try verified(Array(body.utf8))
        #expect(postback.result == .malformed)
        #expect(postback.problemField?.description == field)
    }

    /// Each byte of what is signed counts.
    @Test func aChangedByteIsNoticed() throws {
        var body = Signer.shared.kit(nil)
        let place = try #require(body.firstIndex(of: UInt8(ascii: ".")))
        for index in [place + 12, place + 30] {
            body[index] ^= 1
            #expect(try verified(body, keys: keys).result != .valid)
            body[index] ^= 1
        }
        #expect(try verified(body, keys: keys).result == .valid)
        #expect(try verified(body).result == .unverifiable)
    }

    @Test(
        arguments: [
            (#""download""#, .download), (#""redownload""#, .redownload), (#""re-engagement""#, .reengagement),
            (#""reengagement""#, .reengagement), (#""re\u002dengagement""#, .reengagement), (#""Download""#, .other),
            (#""download\u0000""#, .other), (#""""#, .other), ("null", .unknown), ("true", .other),
            (nil, .unknown),
        ] as [(String?, PostbackConversion)])
    func theConversionTypeIsTold(_ type: String?, _ conversion: PostbackConversion) throws {
        let postback = try verified(Signer.shared.kit(type), keys: keys)
        #expect(postback.result == .valid)
        #expect(postback.conversion == conversion)
    }

    /// The conversion type of SKAdNetwork is that of `redownload`, whatever stands beside it.
    @Test func skAdNetworkKnowsNoReengagements() throws {
        for (redownload, conversion) in [("true", PostbackConversion.redownload), ("false", .download)] {
            let body =
                #"{"version":"4.0","ad-network-id":"n","source-identifier":"12","app-id":1,"transaction-id":"t","#
                + #""redownload":\#(redownload),"fidelity-type":1,"did-win":true,"postback-sequence-index":0,"#
                + #""attribution-signature":"MAYCAQECAQE=","conversion-type":"re-engagement"}"#
            #expect(try verified(Array(body.utf8)).conversion == conversion)
        }
        // Version 1.0 has neither; of a malformed one, what comes after the fault is absent.
        #expect(try verified(Array(#"{"conversion-type":"re-engagement"}"#.utf8)).conversion == .unknown)
        let malformed = Signer.shared.jws(#"{"kid":"test/0","alg":"ES256"}"#, #"{"conversion-type":"re-engagement"}"#)
        let postback = try verified(malformed, keys: keys)
        let isNamed = postback.unknownType != nil
        #expect(postback.conversion == .unknown && !isNamed)
    }

    /// Half of a surrogate pair is no UTF-8, in names of the payload as in its texts.
    @Test func unpairedSurrogatesAreReplaced() throws {
        let payload = Signer.payload.replacing(#""p""#, with: #""p\ud800""#).dropLast() + #","name\udfff":""}"#
        let postback = try verified(Signer.shared.jws(#"{"alg":"ES256","kid":"test/0"}"#, String(payload)), keys: keys)
        #expect(postback.result == .valid)
        #expect(text(postback.text(.transactionID)) == "p\u{FFFD}")
        #expect(signedFields(postback).last == "name\u{FFFD}")
    }
}
