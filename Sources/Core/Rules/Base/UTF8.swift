/// The length of the well-formed UTF-8 sequence at the start of the bytes (Unicode, table 3-7); 0 if there is none.
package func utf8Length(_ bytes: UnsafeRawBufferPointer) -> Int {
    func byte(_ index: Int) -> UInt8 { index < bytes.count ? bytes[index] : 0 }
    func isNext(_ index: Int) -> Bool { byte(index) & 0xC0 == 0x80 }

    let second = byte(1)
    switch byte(0) {
    case 0..<0x80:
        return bytes.isEmpty ? 0 : 1
    case 0xC2...0xDF:
        return isNext(1) ? 2 : 0
    case 0xE0:
        return second >= 0xA0 && second <= 0xBF && isNext(2) ? 3 : 0
    case 0xED:
        return second >= 0x80 && second <= 0x9F && isNext(2) ? 3 : 0
    case 0xE1...0xEF:
        return isNext(1) && isNext(2) ? 3 : 0
    case 0xF0:
        return second >= 0x90 && second <= 0xBF && isNext(2) && isNext(3) ? 4 : 0
    case 0xF1...0xF3:
        return isNext(1) && isNext(2) && isNext(3) ? 4 : 0
    case 0xF4:
        return second >= 0x80 && second <= 0x8F && isNext(2) && isNext(3) ? 4 : 0
    default:
        return 0
    }
}

/// Whether the bytes are UTF-8 without control bytes (00...1F and 7F).
@inline(__always)
package func isPlainText(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let base = bytes.baseAddress else { return true }
    var position = 0
    while bytes.count &- position >= 8 {
        guard isPlainASCII(base.loadUnaligned(fromByteOffset: position, as: UInt64.self)) else { break }
        position &+= 8
    }
    while position < bytes.count {
        let byte = base.load(fromByteOffset: position, as: UInt8.self)
        guard byte &- 0x20 < 0x5F else { return isPlainUTF8(bytes, from: position) }
        position &+= 1
    }
    return true
}

/// Whether eight bytes are all within 20...7E: no byte has its high bit set, is below 20, or is above 7E.
@inline(__always)
private func isPlainASCII(_ word: UInt64) -> Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let high: UInt64 = 0x8080_8080_8080_8080
    return (word | (word &- ones &* 0x20) | (word &+ ones)) & high == 0
}

@inline(never)
private func isPlainUTF8(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Bool {
    var position = start
    while position < bytes.count {
        let byte = bytes[position]
        guard byte >= 0x20, byte != 0x7F else { return false }
        let length = utf8Length(UnsafeRawBufferPointer(rebasing: bytes[position...]))
        guard length > 0 else { return false }
        position &+= length
    }
    return true
}
