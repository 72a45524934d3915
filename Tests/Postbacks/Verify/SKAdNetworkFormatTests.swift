import SKANCore
import Testing

@testable import SKANPostbackVerification

@Suite("The versions of SKAdNetwork's postbacks")
struct SKAdNetworkFormatTests {
    /// What Apple signs, each version's fields as they differ from those of the version before.
    private var signed: [String: Set<String>] {
        let version1: Set = ["ad-network-id", "campaign-id", "app-id", "transaction-id"]
        let version2 = version1.union(["version", "redownload", "source-app-id"])
        let version22 = version2.union(["fidelity-type"])
        let version3 = version22.union(["did-win"])
        let version4 = version3.subtracting(["campaign-id"])
            .union(["source-identifier", "source-domain", "postback-sequence-index"])
        return [
            "1.0": version1, "2.0": version2, "2.1": version2, "2.2": version22, "3.0": version3, "4.0": version4,
        ]
    }

    @Test("sign the fields that Apple says")
    func fields() {
        let found = SKAdNetworkFormat.allCases.map { format in
            (format.name.description, Set(format.signed.compactMap { $0.skAdNetworkName?.description }))
        }
        #expect(Dictionary(uniqueKeysWithValues: found) == signed)
    }

    @Test("have windows exactly where they sign the index of one")
    func windows() throws {
        for (version, fields) in signed {
            let body = Array(#"{"version":"\#(version)"}"#.utf8)
            let postback = body.withUnsafeBytes {
                VerifiedPostback(
                    restoring: $0, PostbackVerdict(result: .unverifiable, omitsSourceApp: false))
            }
            #expect(postback.hasWindows == fields.contains("postback-sequence-index"), "\(version)")
        }
    }
}
