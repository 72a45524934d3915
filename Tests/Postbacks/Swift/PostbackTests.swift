import Foundation
import SKAN
import SKANPostback
import Testing

/// postbacks.json: real postbacks and altered ones, with their results.
private struct Vectors {
    struct Vector {
        let name: String
        let result: String
        let signed: [String]?
        let key: String
        let body: [UInt8]
    }

    let vectors: [Vector]
    let keys: [String: String]

    init() throws {
        let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../Vectors/postbacks.json")
        let document = try JSONSerialization.jsonObject(with: Data(contentsOf: url)) as? [String: Any] ?? [:]
        keys = document["keys_spki_base64"] as? [String: String] ?? [:]
        vectors = try (document["postbacks"] as? [[String: Any]] ?? []).map { vector in
            Vector(
                name: vector["name"] as? String ?? "", result: vector["result"] as? String ?? "",
                signed: vector["signed"] as? [String], key: vector["key"] as? String ?? "",
                body: [UInt8](try JSONSerialization.data(withJSONObject: vector["postback"] ?? [:])))
        }
    }

    func keys(for vector: Vector) throws -> PostbackKeys {
        guard vector.key.hasPrefix("test-") else { return .apple }
        return try PostbackKeys(
            ["1.0", "2.0", "2.1", "2.2", "3.0", "4.0"].map { version in
                PostbackKeys.Key(name: version, spki: keys[version < "2.1" ? "test-p192" : "test-p256"])
            })
    }
}

@Test func everyPostbackHasTheStatedResult() throws {
    let document = try Vectors()
    #expect(document.vectors.count == 27)
    for vector in document.vectors {
        let postback = try Postback(verifying: vector.body, keys: document.keys(for: vector))
        #expect(postback.result.description == vector.result, "\(vector.name)")
        if let signed = vector.signed { #expect(postback.signedFields == signed, "\(vector.name)") }
    }
}

@Test func fieldsAreRead() throws {
    let document = try Vectors()
    let coarse = try Postback(verifying: try #require(document.vectors.first { $0.name.contains("coarse") }).body)
    #expect(coarse.framework == .skAdNetwork)
    #expect(coarse.version == "4.0")
    #expect(coarse.coarseValue == .high)
    #expect(coarse.conversionValue == nil)
    #expect(coarse.didWin == true)
    #expect(coarse.conversionType == .download)
    #expect(coarse.campaignID == nil)
    #expect(coarse.appID == 525_463_029)
    #expect(coarse.problem == nil)
    #expect(coarse.key?.hasPrefix("postback/") == true)
    let kit = try Postback(verifying: try #require(document.vectors.first { $0.key == "by kid" }).body)
    #expect(kit.framework == .adAttributionKit)
    #expect(kit.result == .development)
    #expect(kit.conversionType == .reengagement)
    #expect(kit.keyID == "apple-development-identifier/1")
    #expect(kit.json.contains("\"result\":\"development\""))
}

@Test func conversionTypesAreTold() throws {
    let document = try Vectors()
    let old = try Postback(verifying: try #require(document.vectors.first).body)
    #expect(old.conversionType == .redownload)
    // The signature does not fit: what stands in it is told, and not proven.
    let words = [("download", "download"), ("redownload", "redownload"), ("reengagement", "re-engagement"), ("x", nil)]
    let p256 = try #require(document.keys["test-p256"])
    for (word, name) in words {
        let payload = """
            {"postback-identifier":"p","ad-network-identifier":"n","advertised-item-identifier":7,\
            "source-identifier":"1234","did-win":true,"postback-sequence-index":0,"conversion-type":"\(word)"}
            """
        let parts = ["{\"alg\":\"ES256\",\"kid\":\"test/0\"}", payload].map { Data($0.utf8) }
        let signature = Data([UInt8](repeating: 1, count: 64))
        let jws = (parts + [signature]).map { part in
            part.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
        }
        let body = "{\"jws-string\":\"\(jws.joined(separator: "."))\"}"
        let postback = try Postback(verifying: body.utf8, keys: PostbackKeys([.init(name: "test/0", spki: p256)]))
        #expect(postback.result == .invalid)
        #expect(postback.conversionType?.description == name)
    }
    #expect(Postback.ConversionType(rawValue: 9).description == "unknown")
}

@Test func malformedOnesNameTheField() throws {
    let postback = try Postback(verifying: "{\"version\":\"4.0\"}".utf8)
    #expect(postback.result == .malformed)
    #expect(postback.problemField == "ad-network-id")
    #expect(postback.problem == "is missing")
    #expect(postback.key == nil)
}

@Test func errorsAreThrown() throws {
    #expect(throws: SKANError.self) { try PostbackKeys([.init(name: "4.0", spki: "none")]) }
    #expect(throws: SKANError.self) { try Postback(verifying: [UInt8](repeating: 32, count: 65_537)) }
}
