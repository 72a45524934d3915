import Foundation
import SKANCore
import SKANPostbackVerification
import Testing

/// Postbacks of postbacks.json, verified.
enum Sample {
    /// A valid one of SKAdNetwork 4.0, another copy of which has these unsigned fields.
    static func counted(_ more: [String: Any] = [:]) throws -> [UInt8] {
        try #require(try apples("valid").first { $0.members["version"] as? String == "4.0" }).body(more)
    }

    /// One whose signature does not fit.
    static func invalid() throws -> [UInt8] { try #require(try apples("invalid").first).body([:]) }

    /// One with its keys, to change.
    struct Signed {
        let name: String
        let result: String
        /// What the signature proves, where the document says it.
        let signed: [String]?
        let isTests: Bool
        /// Whether it is written otherwise than Apple writes it.
        let isRespelled: Bool
        let keys: PostbackKeySet
        let members: [String: Any]

        /// The body with other values of members; nil removes one.
        func body(_ changes: [String: Any?]) throws -> [UInt8] {
            var changed = members
            for (member, value) in changes { changed[member] = value }
            return [UInt8](try JSONSerialization.data(withJSONObject: changed, options: .sortedKeys))
        }
    }

    static func all() throws -> [Signed] {
        let document = try document()
        let all = document["keys_spki_base64"] as? [String: String] ?? [:]
        let given = ["1.0", "2.0", "2.1", "2.2", "3.0", "4.0"].map { version in
            let spki = all[version < "2.1" ? "test-p192" : "test-p256"].map { [UInt8]($0.utf8) }
            return GivenKey(name: [UInt8](version.utf8), spki: spki, isDevelopment: false)
        }
        let (ours, apples) = (try PostbackKeySet(given), try PostbackKeySet.apple())
        return (document["postbacks"] as? [[String: Any]] ?? []).map { vector in
            let isTests = (vector["key"] as? String ?? "").hasPrefix("test-")
            return Signed(
                name: vector["name"] as? String ?? "", result: vector["result"] as? String ?? "",
                signed: vector["signed"] as? [String], isTests: isTests,
                isRespelled: vector["respelled"] as? Bool ?? false, keys: isTests ? ours : apples,
                members: vector["postback"] as? [String: Any] ?? [:])
        }
    }

    private static func document() throws -> [String: Any] {
        let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../Vectors/postbacks.json")
        return try JSONSerialization.jsonObject(with: Data(contentsOf: url)) as? [String: Any] ?? [:]
    }

    /// Those that Apple signed.
    private static func apples(_ result: String) throws -> [Signed] {
        try all().filter { $0.result == result && !$0.isTests && !$0.isRespelled }
    }
}

func verified(_ body: [UInt8], keys: PostbackKeySet? = nil) throws -> VerifiedPostback {
    let keys = try keys ?? .apple()
    return try body.withUnsafeBufferPointer { body throws(Failure) in
        try VerifiedPostback(verifying: UnsafeRawBufferPointer(body), keys: keys)
    }
}

/// What the signature proves.
func signedFields(_ postback: VerifiedPostback) -> [String] {
    var names: [String] = []
    postback.forEachSignedField { names.append(String(decoding: $0, as: UTF8.self)) }
    return names
}

/// The buffer has to live as long as its bytes are read: a parameter does.
func bytes(_ text: borrowing ByteBuffer) -> [UInt8] { text.array }

func text(_ bytes: UnsafeRawBufferPointer?) -> String? { bytes.map { String(decoding: $0, as: UTF8.self) } }
