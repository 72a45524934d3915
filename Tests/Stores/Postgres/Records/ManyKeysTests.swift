import SKANCore
import SKANStorePool
import SKANSystem
import Testing

@testable import SKANPostgresRecords

/// Keys of a batch: their order, and those that no server has to be asked for.
struct ManyKeysTests {
    private func withKeys<Result>(_ keys: [[UInt8]], _ body: ([Bytes]) -> Result) -> Result {
        var all: [UInt8] = []
        for key in keys { all += key }
        return all.withUnsafeBytes { all in
            var start = 0
            return body(
                keys.map { key in
                    defer { start += key.count }
                    return Bytes(rebasing: all[start..<start + key.count])
                })
        }
    }

    /// Keys that begin alike, for longer than the number that tells them apart, or hold zeros at their ends.
    @Test
    func aKeyHasAPlaceWhateverItBeginsWith() {
        let ends: [[UInt8]] = [[], [0], [0, 0], [1], [0, 1], [0x7F], [0x80], [0xFF]]
        let middles: [[UInt8]] = [[], Array("-match-of-today".utf8), Array(repeating: 0, count: 8)]
        for beginning in [[], Array("player-".utf8)] as [[UInt8]] {
            let keys = Array(Set(middles.flatMap { middle in ends.map { beginning + middle + $0 } }))
            withKeys(keys) { bytes in
                let order = KeyOrder(bytes)
                #expect(order.places.map { keys[$0] } == keys.sorted { $0.lexicographicallyPrecedes($1) })
                #expect(bytes.map { order.place(of: $0) } == Array(keys.indices))
                let few = KeyOrder(Array(bytes.prefix(5)))
                #expect(bytes.map { few.place(of: $0) } == keys.indices.map { $0 < 5 ? $0 : nil })
            }
        }
        #expect(withKeys([[0x61]]) { KeyOrder([]).place(of: $0[0]) } == nil)
    }

    @Test
    func aVersionOfAnotherStoreIsNotSent() throws {
        let sent: [Result<Bool, Failure>] = [0, greatestVersion, greatestVersion + 1].map { expected in
            withKeys([[0x61], []]) { bytes in
                var items = [SaveItem(key: bytes[0], record: bytes[1], expected: expected)]
                return items.withUnsafeMutableBufferPointer { items in
                    Result { () throws(Failure) in try !ManySaves(items).isEmpty }
                }
            }
        }
        #expect(try sent.map { try $0.get() } == [true, true, false])
    }
}
