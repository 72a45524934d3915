import SKANCore
import Testing

/// Rules, "Details": the published names of the parts, in their order; windows' names are made from their numbers.
struct DocumentKeyTests {
    private static let published = [
        "skan_current_conversion_value", "prev_fine_value", "skan_first_call_to_skadnetwork_timestamp",
        "skan_last_call_to_skadnetwork_timestamp", "skan_total_revenue_by_currency",
        "skan_total_admon_revenue_by_currency", "p0_coarse", "p1_coarse", "p2_coarse", "p0_window_lock",
        "p1_window_lock", "p2_window_lock", "p0_prev_coarse_value", "p1_prev_coarse_value", "p2_prev_coarse_value",
        "p0_total_iap_revenue", "p1_total_iap_revenue", "p2_total_iap_revenue", "p0_total_admon_revenue",
        "p1_total_admon_revenue", "p2_total_admon_revenue",
    ]

    /// Collects the keys that it is given.
    private struct Keys: DetailsWriter {
        var keys: [DocumentKey] = []

        mutating func write(_ key: DocumentKey, integer: Int64?) { keys.append(key) }
        mutating func write(_ key: DocumentKey, table: Span<RevenueTotal>) { keys.append(key) }
    }

    private func text(_ key: DocumentKey) -> String {
        var text = ByteBuffer(capacity: 1)
        key.write(to: &text)
        return String(decoding: text.bytes, as: UTF8.self)
    }

    @Test func detailsHaveThePublishedKeysInTheirOrder() {
        var writer = Keys()
        InstallState(.skan4).writeDetails(to: &writer)
        #expect(writer.keys.map { text($0) } == DocumentKeyTests.published)
    }

    @Test func aKeyIsEqualToItsNameAlone() {
        var writer = Keys()
        InstallState(.skan4).writeDetails(to: &writer)
        for key in writer.keys {
            for name in DocumentKeyTests.published {
                #expect(name.withBytes { key.isEqual($0) } == (name == text(key)))
                #expect(!(name + "s").withBytes { key.isEqual($0) })
                #expect(!String(name.dropLast()).withBytes { key.isEqual($0) })
                #expect(!String(name.dropFirst()).withBytes { key.isEqual($0) })
            }
            #expect(!"".withBytes { key.isEqual($0) })
        }
        #expect(!"p1".withBytes { DocumentKey.coarse(.second).isEqual($0) })
    }

    @Test func aMessageShowsTheName() {
        let message: Message = "\(DocumentKey.lock(.third)): \("prev_fine_value" as DocumentKey)"
        #expect(String(decoding: message.utf8, as: UTF8.self) == "p2_window_lock: prev_fine_value")
    }
}
