import Foundation
import SKANCore
import SKANPostbackVerification
import Testing

/// Rules, "Postback verification", "SKAdNetwork signatures", "Unsigned fields".
struct SKAdNetworkTests {
    private func result(_ body: [UInt8]) throws -> String {
        try verified(body, keys: Signer.shared.keys).result.name.description
    }

    @Test func everyPostbackHasTheStatedResult() throws {
        let samples = try Sample.all()
        #expect(samples.count == 32)
        for sample in samples {
            let postback = try verified(sample.body([:]), keys: sample.keys)
            #expect(postback.result.name.description == sample.result, "\(sample.name)")
            if let signed = sample.signed { #expect(signedFields(postback) == signed, "\(sample.name)") }
            #expect(postback.isRespelled == sample.isRespelled, "\(sample.name)")
        }
    }

    // MARK: What is signed

    /// A version that is none is unverifiable; every other change makes a postback invalid.
    @Test func signedFieldsAreCovered() throws {
        let samples = try Sample.all().filter { $0.result == "valid" && !$0.isRespelled }
        #expect(samples.count == 18)
        for sample in samples {
            for name in try #require(sample.signed) {
                let changed: Any? =
                    switch (name, sample.members[name]) {
                    case ("redownload", let flag as Bool), ("did-win", let flag as Bool): !flag
                    case ("postback-sequence-index", let number as Int): (number + 1) % 3
                    case (_, let text as String): text + "1"
                    case (_, let number as Int): number + 1
                    default: nil
                    }
                let postback = try verified(sample.body([name: changed]), keys: sample.keys)
                #expect(changed != nil, "\(sample.name): \(name)")
                let expected: PostbackResult = name == "version" ? .unverifiable : .invalid
                #expect(postback.result == expected, "\(sample.name): \(name)")
            }
        }
    }

    @Test(arguments: [(-1, nil), (0, 0), (63, 63), (64, nil)] as [(Int, Int64?)])
    func aFineValueIsFrom0To63(_ given: Int, _ fine: Int64?) throws {
        let postback = try verified(Sample.counted(["conversion-value": given]))
        #expect(postback.integer(.conversionValue) == fine)
        var illegal: [String] = []
        postback.forEachIllegalField { illegal.append(String(decoding: $0, as: UTF8.self)) }
        #expect(illegal == (fine == nil ? ["conversion-value"] : []))
    }

    @Test(arguments: [("DE", "DE"), ("D", nil), ("DEU", nil), ("", nil), ("de", "DE"), ("4A", nil)])
    func aCountryIsTwoLetters(_ given: String, _ country: String?) throws {
        let postback = try verified(Sample.counted(["country-code": given]))
        #expect(text(postback.text(.countryCode)) == country)
    }

    /// Rules, "Unsigned fields": a value of one meaning is read, one of none is illegal, and neither is hidden.
    @Test(
        arguments: [
            (#""conversion-value":"6""#, 6, nil, false), (#""conversion-value":6.0"#, 6, nil, false),
            (#""conversion-value":"06""#, 6, nil, false), (#""conversion-value":6e0"#, 6, nil, false),
            (#""conversion-value":" 63 ""#, 63, nil, false), (#""conversion-value":6.5"#, nil, nil, true),
            (#""conversion-value":"abc""#, nil, nil, true), (#""conversion-value":64"#, nil, nil, true),
            (#""conversion-value":-1"#, nil, nil, true), (#""conversion-value":true"#, nil, nil, true),
            (#""conversion-value":[6]"#, nil, nil, true), (#""conversion-value":null"#, nil, nil, false),
            (#""conversion-value":"""#, nil, nil, false), (#""conversion-value":"null""#, nil, nil, false),
            (#""coarse-conversion-value":"High""#, nil, 2, false), (#""coarse-conversion-value":"LOW""#, nil, 0, false),
            (#""coarse-conversion-value":" medium""#, nil, 1, false),
            (#""coarse-conversion-value":2"#, nil, nil, true),
            (#""coarse-conversion-value":"highest""#, nil, nil, true),
            (#""conversion-value":64,"coarse-conversion-value":"low""#, nil, 0, false),
        ] as [(String, Int64?, Int64?, Bool)])
    func anUnsignedValueOfOneMeaningIsRead(_ members: String, _ fine: Int64?, _ coarse: Int64?, _ isIllegal: Bool)
        throws
    {
        let body = Signer.shared.skAdNetwork(
            "1.0", signing: ["n", "1", "2", "t"],
            #""ad-network-id":"n","campaign-id":1,"app-id":2,"transaction-id":"t",\#(members)"#)
        let postback = try verified(body, keys: Signer.shared.keys)
        #expect(postback.result == .valid)
        #expect(!postback.isRespelled)
        #expect(postback.integer(.conversionValue) == fine)
        #expect(postback.integer(.coarseValue) == coarse)
        #expect(postback.hasIllegalValue == isIllegal)
    }

    @Test func unsignedFieldsAreNot() throws {
        let changes: [(String, Any?)] = [
            ("conversion-value", 0), ("conversion-value", 63), ("conversion-value", 64), ("conversion-value", "5"),
            ("conversion-value", NSNull()), ("conversion-value", nil), ("coarse-conversion-value", "low"),
            ("coarse-conversion-value", 7), ("coarse-conversion-value", nil), ("country-code", "DE"),
            ("country-code", "Germany"), ("something-newer", [1, [String: Int]()] as [Any]),
        ]
        for sample in try Sample.all() where sample.result == "valid" {
            for (name, value) in changes {
                let postback = try verified(sample.body([name: value]), keys: sample.keys)
                #expect(postback.result == .valid, "\(sample.name): \(name)")
            }
        }
    }

    /// Version 1.0 has no version field; a text may be empty, also the first one.
    @Test func theFirstVersionNamesNone() throws {
        for network in ["com.example", ""] {
            let body = Signer.shared.skAdNetwork(
                "1.0", signing: [network, "42", "525463029", "t"],
                #""ad-network-id":"\#(network)","campaign-id":42,"app-id":525463029,"transaction-id":"t""#)
            #expect(try result(body) == "valid")
            #expect(try verified(body).result == .invalid)
        }
    }

    /// A source-app-id of 0 may have been left out of the signature.
    @Test func aSourceAppOfZeroMayBeLeftOut() throws {
        let members =
            #""version":"2.1","ad-network-id":"n","campaign-id":1,"app-id":2,"transaction-id":"t","redownload":true"#
        func body(_ source: String) -> [UInt8] {
            Signer.shared.skAdNetwork("2.1", signing: ["2.1", "n", "1", "2", "t", "true"], members + source)
        }
        let left = try verified(body(#","source-app-id":0"#), keys: Signer.shared.keys)
        #expect(left.result == .valid)
        #expect(signedFields(left).last == "redownload")
        #expect(try result(body("")) == "valid")
        #expect(try result(body(#","source-app-id":5"#)) == "invalid")
    }

    // MARK: Malformed

    private static let begin = #"{"version":"4.0","ad-network-id":"n","source-identifier":"12","#
    private static let rest =
        #""transaction-id":"t","redownload":true,"fidelity-type":1,"did-win":true,"postback-sequence-index":0,"#
    private static let signature = #""attribution-signature":"MAYCAQECAQE="}"#

    /// Whole but for some members, which make it what it is.
    @Test(
        arguments: [
            (#""app-id":1,"#, nil), (#""app-id":1.0,"#, "app-id"), (#""app-id":1e2,"#, "app-id"),
            (#""app-id":9223372036854775808,"#, "app-id"), (#""app-id":-9223372036854775808,"#, nil),
            (#""app-id":true,"#, "app-id"), ("", "app-id"), (#""app-id":1,"source-app-id":null,"#, "source-app-id"),
            (#""app-id":1,"source-domain":null,"#, "source-domain"),
            (#""app-id":1,"source-app-id":1,"source-domain":"a","#, "source-domain"),
            (#""app-id":1,"source-domain":"a\u2063b","#, "source-domain"),
            (#""app-id":1,"source-domain":"\ud800","#, nil),
            (#""app-id":1,"source-domain":"1234567891","#, "source-domain"),
            (#""app-id":1,"source-domain":"\u0030","#, "source-domain"), (#""app-id":1,"source-domain":"","#, nil),
            (#""app-id":1,"source-domain":"1.2","#, nil), (#""app-id":1,"source-domain":"7a","#, nil),
            (#""app-id":1,"campaign-id":null,"#, nil),
        ] as [(String, String?)])
    func membersAreChecked(_ members: String, _ field: String?) throws {
        try expect(Self.begin + members + Self.rest + Self.signature, field == nil ? "invalid" : "malformed", field)
    }

    @Test(arguments: [
        ("null", false), (#""""#, false), (#""MAYCAQECAQE""#, false), (#""MAYCAQECAQE= ""#, false),
        (#""MAYCAQECAQE====""#, false), (#""MAYCAQECAQEA""#, false), (#""MAYCAf8CAQE=""#, false),
        (#""MAcCAgABAgEB""#, false), (#""MAYCAQACAQA=""#, true),
    ])
    func aSignatureIsPaddedBase64OfDER(_ signature: String, isOne: Bool) throws {
        let body = Self.begin + #""app-id":1,"# + Self.rest + "\"attribution-signature\":\(signature)}"
        try expect(body, isOne ? "invalid" : "malformed", isOne ? nil : "attribution-signature")
    }

    @Test(
        arguments: [
            ("", "malformed", nil), ("[]", "malformed", nil), (#"{"version":"4.0","version":"4.0"}"#, "malformed", nil),
            ("{}", "malformed", "ad-network-id"), (#"{"version":1}"#, "malformed", "version"),
            (#"{"version":null}"#, "malformed", "version"), (#"{"version":""}"#, "unverifiable", "version"),
            (#"{"version":"4.0\u0000"}"#, "unverifiable", "version"),
            (#"{"version":"4.0"}"#, "malformed", "ad-network-id"),
            (
                begin + #""app-id":1,"# + rest.replacing("index\":0", with: "index\":3") + signature, "malformed",
                "postback-sequence-index"
            ),
        ] as [(String, String, String?)])
    func theFirstFaultIsNamed(_ body: String, _ result: String, _ field: String?) throws {
        try expect(body, result, field)
    }

    private func expect(_ body: String, _ result: String, _ field: String?) throws {
        let postback = try verified(Array(body.utf8))
        #expect(postback.result.name.description == result)
        #expect(postback.problemField?.description == field)
        #expect((postback.problem == nil) == (result == "invalid"))
        #expect(signedFields(postback).isEmpty)
        let json = try JSONSerialization.jsonObject(with: Data(bytes(postback.json())))
        #expect((json as? [String: Any])?["result"] as? String == result)
    }
}
