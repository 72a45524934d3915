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
    var position = 0
    while position < bytes.count {
        let byte = bytes[position]
        if byte >= 0x20, byte < 0x7F {
            position &+= 1
        } else {
            guard byte >= 0x80 else { return false }
            let length = utf8Length(UnsafeRawBufferPointer(rebasing: bytes[position...]))
            guard length > 0 else { return false }
            position &+= length
        }
    }
    return true
}
