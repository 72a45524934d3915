/// Rules, "Model versions", "Model counts", "Model measures": the data of an install for its conversion model: the
/// model's version, the counts of the current window, and the measures.
package struct InstallModel: Sendable {
    /// The version's eight words, the window of the counts, and the counts, in one allocation. Most installs have no
    /// counts.
    private var words: [UInt32]
    /// The measures by number; those beyond the end are 0. A model without measures takes no memory here.
    private var measures: [MeasureValue] = []
    /// Whether the model has measures. The record then contains them.
    package let hasMeasures: Bool

    private static var header: Int { 9 }

    package init(_ version: SHA256, hasMeasures: Bool = false) {
        self.hasMeasures = hasMeasures
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

    /// The number of stored counts; all further counts are 0.
    package var countNumber: Int { words.count &- InstallModel.header }

    /// A count by its index in the model: 0 is the count of sessions, and the counts of events follow from 1 on.
    @inline(__always)
    package func count(_ place: Int, in window: Window) -> UInt32 {
        guard place < countNumber, window == self.window else { return 0 }
        return words[InstallModel.header &+ place]
    }

    /// Increments a count, up to 2³² - 1, and returns whether it changed. The caller must have entered the current
    /// window.
    package mutating func add(_ place: Int) -> Bool {
        assert(place >= 0 && place < Limits.modelCounts)
        while countNumber <= place { words.append(0) }
        guard words[InstallModel.header &+ place] < UInt32.max else { return false }
        words[InstallModel.header &+ place] &+= 1
        return true
    }

    /// Starts to count in a window. If the counts were for another window, clears them, and all measures except those
    /// of scope "lifetime", which have a bit in `lifetime`. Returns whether anything changed.
    package mutating func enter(_ window: Window, lifetime: UInt32) -> Bool {
        guard window != self.window else { return false }
        words.removeSubrange(InstallModel.header...)
        words[8] = UInt32(window.rawValue)
        for index in measures.indices where !isOfLifetime(index, lifetime) { measures[index] = .zero }
        return true
    }

    private func isOfLifetime(_ measure: Int, _ lifetime: UInt32) -> Bool {
        lifetime >> UInt32(truncatingIfNeeded: measure) & 1 != 0
    }

    // MARK: Measures

    /// The number of stored measures; all further measures are 0.
    package var measureNumber: Int { measures.count }

    /// A measure by its number. A measure of scope "window" is 0 if nothing was counted in `window` yet.
    @inline(__always)
    package func measure(_ number: Int, isLifetime: Bool, in window: Window) -> MeasureValue {
        guard number < measures.count, isLifetime || window == self.window else { return .zero }
        return measures[number]
    }

    package func measure(_ number: Int) -> MeasureValue { number < measures.count ? measures[number] : .zero }

    package mutating func set(measure number: Int, _ value: MeasureValue) {
        assert(hasMeasures && number < Limits.modelMeasures)
        while measures.count <= number { measures.append(.zero) }
        measures[number] = value
    }
}

/// The form in a record: the version's 32 bytes, the window (u8), the number of counts (u8), and each count in groups
/// of seven bits, the lowest first, with the high bit set in all but the last. The last count is not 0.
///
/// If the model has measures, there follow the number of measures up to the last one that is not 0 (u8), and for each
/// of these its length (u8) and that many bytes of a signed integer, the lowest first. The number 0 has no bytes.
extension InstallModel {
    /// The maximum number of bytes that `write` needs.
    package var byteBound: Int {
        SHA256.byteCount &+ 2 &+ countNumber &* 5 &+ (hasMeasures ? 1 &+ measures.count &* 17 : 0)
    }

    /// Returns the number of bytes.
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
        return hasMeasures ? writeMeasures(to: memory, at: offset) : offset
    }

    @inline(never)
    private func writeMeasures(to memory: UnsafeMutableRawPointer, at start: Int) -> Int {
        var count = measures.count
        while count > 0, measures[count &- 1] == .zero { count &-= 1 }
        memory.storeBytes(of: UInt8(truncatingIfNeeded: count), toByteOffset: start, as: UInt8.self)
        var offset = start &+ 1
        for index in 0..<count {
            let number = measures[index].number
            let length = InstallModel.bytesNeeded(number)
            memory.storeBytes(of: UInt8(truncatingIfNeeded: length), toByteOffset: offset, as: UInt8.self)
            offset &+= 1
            for place in 0..<length {
                let byte = UInt8(truncatingIfNeeded: number >> (Int128(place) &* 8))
                memory.storeBytes(of: byte, toByteOffset: offset &+ place, as: UInt8.self)
            }
            offset &+= length
        }
        return offset
    }

    /// The number 0 needs no bytes.
    private static func bytesNeeded(_ number: Int128) -> Int {
        number == 0 ? 0 : (128 &- (number < 0 ? ~number : number).leadingZeroBitCount) / 8 &+ 1
    }

    /// Reads what `write` wrote; nil if the bytes do not have exactly this form.
    package init?(stored: UnsafeRawBufferPointer, hasMeasures: Bool = false) {
        guard stored.count >= 34, Window(rawValue: stored[32]) != nil else { return nil }
        let number = Int(stored[33])
        guard number <= Limits.modelCounts else { return nil }
        var words = [UInt32](repeating: 0, count: InstallModel.header &+ number)
        for index in 0..<8 {
            words[index] = UInt32(bigEndian: stored.loadUnaligned(fromByteOffset: index &* 4, as: UInt32.self))
        }
        words[8] = UInt32(stored[32])
        var offset = 34
        var count: UInt64 = 0
        for place in 0..<number {
            count = 0
            var shift: UInt64 = 0
            while true {
                guard offset < stored.count, shift <= 28 else { return nil }
                let byte = stored[offset]
                offset &+= 1
                count |= UInt64(byte & 0x7F) << shift
                if byte & 0x80 == 0 {
                    // Each number has only one valid encoding.
                    guard byte != 0 || shift == 0, count <= UInt64(UInt32.max) else { return nil }
                    break
                }
                shift &+= 7
            }
            words[InstallModel.header &+ place] = UInt32(truncatingIfNeeded: count)
        }
        guard number == 0 || count != 0 else { return nil }
        self.words = words
        self.hasMeasures = hasMeasures
        if hasMeasures {
            guard let measures = InstallModel.measures(stored, at: offset) else { return nil }
            self.measures = measures
        } else {
            guard offset == stored.count else { return nil }
        }
        assert(countNumber == number)
    }

    @inline(never)
    private static func measures(_ stored: UnsafeRawBufferPointer, at start: Int) -> [MeasureValue]? {
        guard start < stored.count, Int(stored[start]) <= Limits.modelMeasures else { return nil }
        var measures: [MeasureValue] = []
        measures.reserveCapacity(Int(stored[start]))
        var offset = start &+ 1
        for _ in 0..<stored[start] {
            guard offset < stored.count else { return nil }
            let length = Int(stored[offset])
            offset &+= 1
            guard length <= 16, length <= stored.count &- offset else { return nil }
            // The last byte contains the sign.
            var number: Int128 = length > 0 ? Int128(Int8(bitPattern: stored[offset &+ length &- 1])) : 0
            var place = length &- 1
            while place > 0 {
                place &-= 1
                number = number << 8 | Int128(stored[offset &+ place])
            }
            // Each number has only one valid encoding.
            guard length == bytesNeeded(number) else { return nil }
            offset &+= length
            measures.append(MeasureValue(number: number))
        }
        guard offset == stored.count, measures.last != .zero else { return nil }
        return measures
    }
}
