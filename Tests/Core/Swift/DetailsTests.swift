import Foundation
import SKAN
import Testing

/// Rules, "Details", "Metadata", "Import".
struct DetailsTests {
    private static let fullJSON = """
        {"skan_current_conversion_value":20,"prev_fine_value":10,\
        "skan_first_call_to_skadnetwork_timestamp":1600000000,"skan_last_call_to_skadnetwork_timestamp":1600604801,\
        "skan_total_revenue_by_currency":{"USD":7.5},"skan_total_admon_revenue_by_currency":{"EUR":0.75},\
        "p0_coarse":2,"p1_coarse":2,"p2_coarse":2,\
        "p0_window_lock":1600000001,"p1_window_lock":1600172801,"p2_window_lock":1600604801,\
        "p0_prev_coarse_value":0,"p1_prev_coarse_value":0,"p2_prev_coarse_value":0,\
        "p0_total_iap_revenue":{"USD":1.5},"p1_total_iap_revenue":{"USD":2.5},"p2_total_iap_revenue":{"USD":3.5},\
        "p0_total_admon_revenue":{"EUR":0.25},"p1_total_admon_revenue":{"EUR":0.25},\
        "p2_total_admon_revenue":{"EUR":0.25}}
        """

    /// Something in every part.
    private func full() throws -> Details { try Details(json: DetailsTests.fullJSON.utf8) }

    @Test func everyPartHasItsPlace() async throws {
        let details = try full()
        #expect(details.protocolVersion == .skan4)
        #expect(details.fineValue == 20)
        #expect(details.previousFineValue == 10)
        #expect(details.firstTimestamp == 1_600_000_000)
        #expect(details.lastTimestamp == 1_600_604_801)
        #expect(details.iapRevenue == ["USD": Amount("7.5")])
        #expect(details.adRevenue == ["EUR": Amount("0.75")])
        for (window, lock, revenue) in [
            (details.windows[0], 1_600_000_001, "1.5"), (details.windows[1], 1_600_172_801, "2.5"),
            (details.windows[2], 1_600_604_801, "3.5"),
        ] {
            #expect(window.coarseValue == .high)
            #expect(window.previousCoarseValue == .low)
            #expect(window.lockTimestamp == Int64(lock))
            #expect(window.iapRevenue == ["USD": Amount(revenue)])
            #expect(window.adRevenue == ["EUR": Amount("0.25")])
        }
        #expect(details.json == DetailsTests.fullJSON)
    }

    @Test func codableHasTheSameKeys() throws {
        let details = try full()
        let encoded = try JSONEncoder().encode(details)
        let members = try #require(try JSONSerialization.jsonObject(with: encoded) as? [String: Any])
        let exact = try #require(
            try JSONSerialization.jsonObject(with: Data(DetailsTests.fullJSON.utf8)) as? [String: Any])
        #expect(members as NSDictionary == exact as NSDictionary)
        #expect(try JSONDecoder().decode(Details.self, from: encoded) == details)
    }

    @Test(arguments: [ProtocolVersion.skan4, .skan3])
    func anEmptyStateWritesNullForAllKeys(_ version: ProtocolVersion) throws {
        let encoded = try JSONEncoder().encode(Details(protocolVersion: version))
        let members = try #require(try JSONSerialization.jsonObject(with: encoded) as? [String: Any])
        #expect(members.count == (version == .skan4 ? 21 : 4))
        #expect(members.values.allSatisfy { $0 is NSNull })
        #expect(try JSONDecoder().decode(Details.self, from: encoded) == Details(protocolVersion: version))
    }

    @Test func whatWasExportedCanBeImported() async throws {
        let details = try full()
        let other = try Engine(.asking)
        #expect(try await other.importDetails("exact", details) == .ok)
        #expect(try await other.details("exact") == details)
        #expect(try await other.importDetails("text", json: details.json.utf8) == .ok)
        #expect(try await other.details("text") == details)
        let encoded = try JSONEncoder().encode(details)
        #expect(try await other.importDetails("codable", json: encoded) == .ok)
        #expect(try await other.details("codable") == details)
    }

    @Test func largeTotalsTravelExactly() async throws {
        var details = Details()
        details.iapRevenue = [
            "USD": try #require(Amount("999999999999999999.999999999999")), "EUR": try #require(Amount("-0.1")),
        ]
        let engine = try Engine(.asking)
        #expect(try await engine.importDetails("player-1", details) == .ok)
        #expect(try await engine.details("player-1") == details)
        #expect(try Details(json: details.json.utf8) == details)
        #expect(try JSONDecoder().decode(Details.self, from: JSONEncoder().encode(details)) == details)
        // As `Codable` writes it the amount is text, which import does not take for a number: refused, not rounded.
        let encoded = try JSONEncoder().encode(details)
        let error = await failure {
            try await engine.importDetails("player-2", json: encoded)
        }
        #expect(error?.code == .invalidDocument)
    }

    @Test func whatIsOutOfRangeIsRefusedByItsKey() async throws {
        let engine = try Engine(.asking)
        func refused(_ change: (inout Details) -> Void) async -> String? {
            var details = Details()
            details.firstTimestamp = 1_600_000_000
            change(&details)
            let refused = details
            let error = await failure { try await engine.importDetails("player-1", refused) }
            #expect(error?.code == .invalidDocument)
            return error?.message
        }
        #expect(await refused { $0.fineValue = 64 }?.hasPrefix("skan_current_conversion_value: ") == true)
        #expect(await refused { $0.previousFineValue = -1 }?.hasPrefix("prev_fine_value: ") == true)
        #expect(await refused { $0.adRevenue = ["US": .zero] }?.contains("_admon_revenue_by_currency: ") == true)
        #expect(
            await refused { $0.windows[1].iapRevenue = ["\"\\\u{1}": .zero] }?.contains("p1_total_iap_revenue: ")
                == true)
        #expect(try await engine.details("player-1") == Details())
    }
}
