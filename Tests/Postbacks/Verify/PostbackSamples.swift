import Foundation
import SKANCore
import SKANPostbackVerification

/// Postbacks of postbacks.json, verified.
enum Sample {
    /// A valid one of SKAdNetwork 4.0, another copy of which has these unsigned fields.
    static func counted(_ more: [String: Any] = [:]) throws -> [UInt8] {
        try body(named: "4.0", result: "valid", more)
    }

    /// One whose signature does not fit.
    static func invalid() throws -> [UInt8] { try body(named: "", result: "invalid", [:]) }

    private static func body(named version: String, result: String, _ more: [String: Any]) throws -> [UInt8] {
        let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../Vectors/postbacks.json")
        let document = try JSONSerialization.jsonObject(with: Data(contentsOf: url)) as? [String: Any] ?? [:]
        for vector in document["postbacks"] as? [[String: Any]] ?? [] {
            let postback = vector["postback"] as? [String: Any] ?? [:]
            guard vector["result"] as? String == result, (vector["key"] as? String)?.hasPrefix("test-") != true,
                version.isEmpty || postback["version"] as? String == version
            else { continue }
            return [UInt8](
                try JSONSerialization.data(
                    withJSONObject: postback.merging(more) { $1 }, options: .sortedKeys))
        }
        throw Missing()
    }

    struct Missing: Error {}
}

func verified(_ body: [UInt8], keys: PostbackKeySet? = nil) throws -> VerifiedPostback {
    let keys = try keys ?? .apple()
    return try body.withUnsafeBufferPointer { body throws(Failure) in
        try VerifiedPostback(verifying: UnsafeRawBufferPointer(body), keys: keys)
    }
}

func text(_ bytes: UnsafeRawBufferPointer?) -> String? { bytes.map { String(decoding: $0, as: UTF8.self) } }
