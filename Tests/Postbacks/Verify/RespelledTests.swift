import Foundation
import SKANCore
import SKANPostbackVerification
import Testing

/// Rules, "Respelled postbacks": a signed text that a serializer wrote otherwise is what it was, and nothing else.
struct RespelledTests {
    private static let signed = ["4.0", "n", "0039", "990001234", "t", "false", "990005678", "1", "true", "0"]
    private static let members = [
        ("version", #""4.0""#), ("ad-network-id", #""n""#), ("source-identifier", #""0039""#),
        ("app-id", "990001234"), ("transaction-id", #""t""#), ("redownload", "false"),
        ("source-app-id", "990005678"), ("fidelity-type", "1"), ("did-win", "true"), ("postback-sequence-index", "0"),
    ]

    /// The postback with other spellings of some members; nil leaves one out.
    private func body(_ changes: [String: String?], signing texts: [String] = RespelledTests.signed) -> [UInt8] {
        var written = Self.members.compactMap { name, value -> String? in
            guard let change = changes[name] else { return "\"\(name)\":\(value)" }
            return change.map { "\"\(name)\":\($0)" }
        }
        for (name, value) in changes where !Self.members.contains(where: { $0.0 == name }) {
            if let value { written.append("\"\(name)\":\(value)") }
        }
        return Signer.shared.skAdNetwork("4.0", signing: texts, written.joined(separator: ","))
    }

    @Test(
        arguments: [
            ("version", "4.0"), ("version", "4"), ("version", #""4""#), ("app-id", "9.90001234e+08"),
            ("app-id", "990001234.0"), ("app-id", #""990001234""#), ("app-id", #"" 0990001234 ""#),
            ("app-id", #""9.90001234E8""#), ("source-identifier", "39"), ("source-identifier", "39.0"),
            ("source-identifier", #""39.0""#), ("redownload", #""false""#), ("redownload", #""False""#),
            ("redownload", "0"), ("redownload", #""f""#), ("did-win", "1"), ("did-win", #""TRUE""#),
            ("fidelity-type", "true"), ("fidelity-type", #""1""#), ("postback-sequence-index", #""0""#),
            ("postback-sequence-index", "false"), ("source-domain", "null"), ("source-domain", #""""#),
        ])
    func anotherSpellingIsTheSamePostback(_ name: String, _ spelling: String) throws {
        let postback = try verified(body([name: spelling]), keys: Signer.shared.keys)
        #expect(postback.result == .valid)
        #expect(postback.isRespelled)
        let strict = try verified(body([:]), keys: Signer.shared.keys)
        #expect(text(postback.key) == text(strict.key))
        #expect(signedFields(postback) == signedFields(strict))
        let canonical = try verified([UInt8](postback.canonicalBody), keys: Signer.shared.keys)
        #expect(canonical.result == .valid)
        #expect(!canonical.isRespelled)
    }

    /// Both sources stand in the same place of the signed text, without their names.
    @Test(
        arguments: [
            ["source-app-id": nil, "source-domain": #""990005678""#],
            ["source-app-id": "null", "source-domain": #""990005678""#],
            ["source-app-id": "0", "source-domain": #""990005678""#],
            ["source-app-id": nil, "source-domain": "990005678"],
            ["source-app-id": nil, "source-domain": "9.90005678e8"],
            ["source-app-id": "990005678", "source-domain": #""example.com""#],
            ["source-app-id": "null"], ["source-app-id": "990005679"], ["app-id": "990001234.5"], ["did-win": "false"],
            ["redownload": #""true""#], ["source-identifier": "390"], ["version": "3"],
            ["ad-network-id": #""n\u2063""#], ["transaction-id": #""T""#], ["postback-sequence-index": "1"],
        ] as [[String: String?]])
    func anotherMeaningIsRefused(_ changes: [String: String?]) throws {
        let postback = try verified(body(changes), keys: Signer.shared.keys)
        #expect(postback.result != .valid)
        #expect(!postback.isRespelled)
    }

    /// Such a postback is well-typed, so that its strict reading takes the word for a domain.
    @Test(arguments: ["", " ", "null", "NULL", "None", "nil"])
    func aDomainThatStandsForNoneIsNone(_ word: String) throws {
        var texts = Self.signed
        texts.remove(at: 6)
        let spelled = body(["source-app-id": nil, "source-domain": "\"\(word)\""], signing: texts)
        let postback = try verified(spelled, keys: Signer.shared.keys)
        #expect(postback.result == .valid)
        #expect(postback.isRespelled)
        #expect(postback.text(.sourceDomain) == nil)
    }

    @Test func aDomainThatWasSignedStaysWhateverItsWord() throws {
        var texts = Self.signed
        texts[6] = "null"
        let postback = try verified(
            body(["source-app-id": nil, "source-domain": #""null""#], signing: texts), keys: Signer.shared.keys)
        #expect(postback.result == .valid)
        #expect(!postback.isRespelled)
        #expect(text(postback.text(.sourceDomain)) == "null")
    }

    /// Serializers write 0 for a number that they have not.
    @Test func aSourceAppOfZeroIsNoneBesideADomain() throws {
        var texts = Self.signed
        texts[6] = "example.com"
        let postback = try verified(
            body(["source-app-id": "0", "source-domain": #""example.com""#], signing: texts), keys: Signer.shared.keys)
        #expect(postback.result == .valid)
        #expect(postback.integer(.sourceAppID) == nil)
        #expect(text(postback.text(.sourceDomain)) == "example.com")
    }

    @Test func theCanonicalFormIsAsAppleWritesIt() throws {
        let changes = [
            "conversion-value": #""12""#, "country-code": #""de""#, "campaign-id": "null", "extra": "{}",
            "app-id": "990001234.0",
        ]
        let postback = try verified(body(changes), keys: Signer.shared.keys)
        let form = try #require(text(postback.canonicalBody))
        let begin =
            #"{"version":"4.0","ad-network-id":"n","source-identifier":"0039","app-id":990001234,"transaction-id":"t","#
            + #""redownload":false,"source-app-id":990005678,"fidelity-type":1,"did-win":true,"#
            + #""postback-sequence-index":0,"conversion-value":12,"country-code":"DE","attribution-signature":""#
        #expect(form.hasPrefix(begin), "\(form)")
    }

    @Test func aValueWithoutAMeaningStaysAsItCame() throws {
        let postback = try verified(
            body(["app-id": #""990001234""#, "conversion-value": #""abc""#]), keys: Signer.shared.keys)
        #expect(postback.isRespelled)
        #expect(postback.hasIllegalValue)
        let kept = try verified([UInt8](postback.canonicalBody), keys: Signer.shared.keys)
        #expect(kept.hasIllegalValue)
    }

    @Test func aJWSMayHaveLineBreaksAndPadding() throws {
        let body = Signer.shared.kit(#""download""#)
        let text = String(decoding: body, as: UTF8.self)
        let alphabet = text.replacing("-", with: "+").replacing("_", with: "/")
        let spelled = alphabet.replacing("jws+string", with: "jws-string").replacing(".", with: "=.\\n")
        let postback = try verified([UInt8](spelled.utf8), keys: Signer.shared.keys)
        #expect(postback.result == .valid)
        #expect(postback.isRespelled)
        #expect([UInt8](postback.canonicalBody) == body)
    }

    @Test func aByteOrderMarkIsPassedOver() throws {
        let postback = try verified([0xEF, 0xBB, 0xBF] + body([:]), keys: Signer.shared.keys)
        #expect(postback.result == .valid)
        #expect(!postback.isRespelled)
    }

    /// Rules, "Unknown types".
    @Test func whatIsNotKnownIsNamed() throws {
        func unknown(_ body: [UInt8]) throws -> String? {
            let postback = try verified(body, keys: Signer.shared.keys)
            return withExtendedLifetime(postback) {
                postback.unknownType.map { "\($0.field) \(String(decoding: $0.name, as: UTF8.self))" }
            }
        }
        #expect(try unknown(Signer.shared.kit(#""download""#)) == nil)
        #expect(try unknown(Signer.shared.kit(nil)) == nil)
        #expect(try unknown(Signer.shared.kit(#""update""#)) == "conversion-type update")
        #expect(try unknown(Signer.shared.kit("7")) == "conversion-type 7")
        #expect(try unknown(Signer.shared.kit(#""download","impression-type":"app-impression""#)) == nil)
        #expect(
            try unknown(Signer.shared.kit(#""download","impression-type":"web""#)) == "impression-type web")
        #expect(try unknown(Signer.shared.kit(nil, kid: "newer/1")) == "kid newer/1")
        #expect(try unknown(body(["version": #""5.0""#])) == "version 5.0")
        #expect(try unknown(body(["version": "5.0"])) == "version 5.0")
    }
}
