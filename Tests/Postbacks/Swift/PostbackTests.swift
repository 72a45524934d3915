import Foundation
import SKAN
import SKANPostback
import Testing

func document() throws -> [String: Any] {
    let url = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Vectors/postbacks.json")
    return try JSONSerialization.jsonObject(with: Data(contentsOf: url)) as? [String: Any] ?? [:]
}

/// The postback of postbacks.json whose name has this word.
func sample(_ word: String) throws -> [UInt8] {
    let vectors = try document()["postbacks"] as? [[String: Any]] ?? []
    let vector = try #require(vectors.first { ($0["name"] as? String)?.contains(word) == true })
    return [UInt8](try JSONSerialization.data(withJSONObject: try #require(vector["postback"])))
}

@Test func keysMayBeTheHosts() throws {
    let spki = try document()["keys_spki_base64"] as? [String: String]
    let keys = try PostbackKeys([.init(name: "4.0", spki: spki?["test-p256"])])
    #expect(try Postback(verifying: sample("seq0"), keys: keys).result == .valid)
    #expect(try Postback(verifying: sample("seq0")).result == .invalid)
}

@Test func fieldsAreRead() throws {
    let coarse = try Postback(verifying: sample("coarse"))
    #expect(coarse.result == .valid)
    #expect(coarse.signedFields.first == "version")
    #expect(coarse.framework == .skAdNetwork)
    #expect(coarse.version == "4.0")
    #expect(coarse.coarseConversionValue == .high)
    #expect(coarse.conversionValue == nil)
    #expect(coarse.didWin == true)
    #expect(coarse.conversionType == .download)
    #expect(coarse.campaignID == nil)
    #expect(coarse.appID == 525_463_029)
    #expect(coarse.problem == nil)
    #expect(coarse.key?.hasPrefix("postback/") == true)
    let kit = try Postback(verifying: sample("AdAttributionKit"))
    #expect(kit.framework == .adAttributionKit)
    #expect(kit.result == .development)
    #expect(kit.conversionType == .reengagement)
    #expect(kit.keyID == "apple-development-identifier/1")
    #expect(kit.json.contains("\"result\":\"development\""))
}

@Test func conversionTypesAreTold() throws {
    #expect(try Postback(verifying: sample("v2.0")).conversionType == .redownload)
    let names = (0...9).map { Postback.ConversionType(rawValue: $0).description }
    #expect(names.prefix(6) == ["unknown", "download", "redownload", "re-engagement", "unknown", "unknown_type"])
    #expect(names.dropFirst(6).allSatisfy { $0 == "unknown" })
}

@Test func malformedOnesNameTheField() throws {
    let postback = try Postback(verifying: "{\"version\":\"4.0\"}".utf8)
    #expect(postback.result == .malformed)
    #expect(postback.problemField == "ad-network-id")
    #expect(postback.problem == "is missing")
    #expect(postback.conversionType == nil)
    #expect(postback.key == nil)
}

@Test func errorsAreThrown() throws {
    #expect(throws: SKANError.self) { try PostbackKeys([.init(name: "4.0", spki: "none")]) }
    #expect(throws: SKANError.self) { try Postback(verifying: [UInt8](repeating: 32, count: 65_537)) }
}
