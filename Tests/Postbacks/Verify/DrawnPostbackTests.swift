import Foundation
import SKANCore
import SKANPostbackVerification
import Testing

/// drawn.jsonl: 2000 postbacks signed with test keys, many of them damaged, with the verdict of a reference in another
/// language (Tests/Postbacks/Reference).
struct DrawnPostbackTests {
    private struct Entry: Decodable {
        let body: String?
        let body_b64: Data?
        let result: String
        let signed: [String]?
        let field: String?
        let type: String?
        let respelled: Bool?
    }

    private struct Head: Decodable {
        let keys: [String: String]
        let development: [String]
    }

    @Test func everyOneGetsItsVerdict() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Reference/drawn.jsonl")
        let lines = try Data(contentsOf: file).split(separator: UInt8(ascii: "\n"))
        let head = try JSONDecoder().decode(Head.self, from: try #require(lines.first))
        let keys = try PostbackKeySet(
            head.keys.map { name, spki in
                GivenKey(
                    name: [UInt8](name.utf8), spki: [UInt8](spki.utf8),
                    isDevelopment: head.development.contains(name))
            })
        #expect(lines.count == 2001)
        for (number, line) in lines.enumerated().dropFirst() {
            let entry = try JSONDecoder().decode(Entry.self, from: line)
            let body = entry.body_b64.map { [UInt8]($0) } ?? [UInt8]((entry.body ?? "").utf8)
            let postback = try verified(body, keys: keys)
            #expect(postback.result.name.description == entry.result, "line \(number + 1)")
            #expect(signedFields(postback) == entry.signed ?? [], "line \(number + 1)")
            #expect(postback.problemField?.description == entry.field, "line \(number + 1)")
            #expect(postback.isRespelled == entry.respelled ?? false, "line \(number + 1)")
            guard postback.problem == nil else { continue }
            #expect(
                postback.conversion.name.description == entry.type ?? "unknown", "line \(number + 1)")
        }
    }
}
