/// Rules, "Model versions", "Model counts": what an install keeps of its conversion model: the model's version, and the
/// counts of the current window.
package struct InstallModel: Sendable {
    /// The version's eight words, the window that is counted, the counts: one piece of memory, none for most installs.
    private var words: [UInt32]

    private static var header: Int { 9 }

    /// A model that has counted nothing.
    package init(_ version: SHA256) {
        words = [UInt32](repeating: 0, count: InstallModel.header)
        for index in version.words.indices { words[index] = version.words[index] }
    }

    package var version: SHA256 {
        SHA256(words: InlineArray { words[$0] })
    }

    @inline(__always)
    package func isOf(_ version: SHA256) -> Bool {
        for index in version.words.indices where words[index] != version.words[index] { return false }
        return true
    }

    /// The window of the counts.
    package var window: Window { Window(rawValue: UInt8(truncatingIfNeeded: words[8])) ?? .first }

    /// SKAN 4: the earliest time that a clock counts as, the first second of the window of the counts. The first window
    /// has none: it is open before the first call, too.
    @inline(never)
    func earliestTime(first: Int64) -> Int64 { window == .first ? .min : Window.skan4Start(window, first: first) }

    /// How many counts are kept; all behind them are 0.
    package var countNumber: Int { words.count &- InstallModel.header }

    /// A count by its place among the model's: 0 for sessions, from 1 on the events by name.
    @inline(__always)
    package func count(_ place: Int, in window: Window) -> UInt32 {
        guard place < countNumber, window == self.window else { return 0 }
        return words[InstallModel.header &+ place]
    }

    /// Goes on to a window, in which nothing is counted.
    mutating func enter(_ window: Window) {
        words.removeSubrange(InstallModel.header...)
        words[8] = UInt32(window.rawValue)
    }

    /// Counts one more, up to 2³² - 1; answers whether that changed anything. Counts of another window end.
    package mutating func add(_ place: Int, in window: Window) -> Bool {
        assert(place >= 0 && place < Limits.modelCounts)
        if window != self.window { enter(window) }
        while countNumber <= place { words.append(0) }
        guard words[InstallModel.header &+ place] < UInt32.max else { return false }
        words[InstallModel.header &+ place] &+= 1
        return true
    }
}

/// As a record holds it: the version's 32 bytes, the window (u8), the number of counts (u8), each count in groups of
/// seven bits, the lowest first, the high bit set in all but the last. The last count is not 0.
extension InstallModel {
    /// How many bytes `write` takes at most.
    package var byteBound: Int { SHA256.byteCount &+ 2 &+ countNumber &* 5 }

    /// Answers how many bytes were written.
    package func write(to memory: UnsafeMutableRawPointer) -> Int {
        for index in 0..<8 {
            memory.storeBytes(of: words[index].bigEndian, toByteOffset: index &* 4, as: UInt32.self)
        }
        memory.storeBytes(of: window.rawValue, toByteOffset: 32, as: UInt8.self)
        memory.storeBytes(of: UInt8(truncatingIfNeeded: countNumber), toByteOffset: 33, as: UInt8.self)
        var offset = 34
        for place in 0..<countNumber {
            var rest = words[InstallModel.header &+ place]
            while rest > 0x7F {
                memory.storeBytes(of: UInt8(truncatingIfNeeded: rest) | 0x80, toByteOffset: offset, as: UInt8.self)
                rest >>= 7
                offset &+= 1
            }
            memory.storeBytes(of: UInt8(truncatingIfNeeded: rest), toByteOffset: offset, as: UInt8.self)
            offset &+= 1
        }
        return offset
    }

    /// nil unless the bytes are what `write` writes, and nothing else.
    package init?(stored: UnsafeRawBufferPointer) {
        guard stored.count >= 34, Window(rawValue: stored[32]) != nil else { return nil }
        let number = Int(stored[33])
        guard number <= Limits.modelCounts else { return nil }
        var words = [UInt32](repeating: 0, count: InstallModel.header)
        words.reserveCapacity(InstallModel.header &+ number)
        for index in 0..<8 {
            words[index] = UInt32(bigEndian: stored.loadUnaligned(fromByteOffset: index &* 4, as: UInt32.self))
        }
        words[8] = UInt32(stored[32])
        var offset = 34
        var count: UInt64 = 0
        for _ in 0..<number {
            count = 0
            var shift: UInt64 = 0
            while true {
                guard offset < stored.count, shift <= 28 else { return nil }
                let byte = stored[offset]
                offset &+= 1
                count |= UInt64(byte & 0x7F) << shift
                if byte & 0x80 == 0 {
                    // One spelling for each number.
                    guard byte != 0 || shift == 0, count <= UInt64(UInt32.max) else { return nil }
                    break
                }
                shift &+= 7
            }
            words.append(UInt32(truncatingIfNeeded: count))
        }
        guard offset == stored.count, number == 0 || count != 0 else { return nil }
        self.words = words
        assert(countNumber == number)
    }
}
