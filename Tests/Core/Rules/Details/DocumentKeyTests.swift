import SKANCore
import Testing

/// Rules, "Details": the names of the parts; windows' names are made from their numbers. Vectors and ImportTests judge
/// the names themselves. This test alone notices a key that is equal to a part of its name, or to a longer one.
struct DocumentKeyTests {
    /// Collects the keys that it is given.
    private struct Keys: DetailsWriter {
        var keys: [DocumentKey] = []

        mutating func write(_ key: DocumentKey, integer: Int64?) { keys.append(key) }
        mutating func write(_ key: DocumentKey, table: Span<RevenueTotal>) { keys.append(key) }
    }

    private func text(_ key: DocumentKey) -> String {
        var text = ByteBuffer(capacity: 1)
        key.write(to: &text)
        return String(decoding: text.array, as: UTF8.self)
    }

    @Test func aKeyIsEqualToItsNameAlone() {
        var writer = Keys()
        InstallState(.skan4).writeDetails(to: &writer)
        let names = writer.keys.map { text($0) }
        #expect(Set(names).count == 21)
        for key in writer.keys {
            for name in names {
                #expect(name.withBytes { key.isEqual($0) } == (name == text(key)))
                #expect(!(name + "s").withBytes { key.isEqual($0) })
                #expect(!String(name.dropLast()).withBytes { key.isEqual($0) })
                #expect(!String(name.dropFirst()).withBytes { key.isEqual($0) })
            }
            #expect(!"".withBytes { key.isEqual($0) })
        }
        #expect(!"p1".withBytes { DocumentKey.coarse(.second).isEqual($0) })
    }
}
