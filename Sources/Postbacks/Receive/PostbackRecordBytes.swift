package import SKANCore
internal import SKANPostbackVerification

/// Bytes of a record, numbers in little-endian order:
///   "skpb" · format 1 · result · outcome · decoding · flags (1 omits source-app-id, 2 has a model, 4 respelled) ·
///   16 bytes write id · received 8 · installed or re-engaged from 8, until 8 · [model 32] ·
///   length of network 1, network · length of body 4, body · checksum: the first 8 bytes of the SHA-256 of all before
extension PostbackRecord {
    /// The maximum number of bytes of a received postback.
    package static var bodyBytes: Int { 30_720 }
    /// The maximum number of bytes of the sending network's name.
    package static var networkBytes: Int { 128 }

    @_optimize(size)
    package func bytes(_ body: UnsafeRawBufferPointer) -> ByteBuffer {
        var bytes = ByteBuffer(capacity: 160 &+ network.count &+ body.count)
        bytes.append(magic)
        bytes.append(format)
        bytes.append(UInt8(truncatingIfNeeded: verdict.result.rawValue))
        bytes.append(UInt8(truncatingIfNeeded: outcome.rawValue))
        bytes.append(UInt8(truncatingIfNeeded: decoding.rawValue))
        bytes.append(flags)
        bytes.append(littleEndian: writeID.low, 8)
        bytes.append(littleEndian: writeID.high, 8)
        bytes.append(littleEndian: UInt64(bitPattern: received), 8)
        bytes.append(littleEndian: UInt64(bitPattern: time.from), 8)
        bytes.append(littleEndian: UInt64(bitPattern: time.until), 8)
        if let model { bytes.append(model) }
        bytes.append(littleEndian: UInt64(network.count), 1)
        network.withUnsafeBytes { bytes.append($0) }
        bytes.append(littleEndian: UInt64(body.count), 4)
        bytes.append(body)
        seal(&bytes)
        return bytes
    }

    private var flags: UInt8 {
        (verdict.omitsSourceApp ? omitsSourceApp : 0) | (model != nil ? hasModel : 0)
            | (verdict.isRespelled ? isRespelled : 0)
    }

    /// The returned body points into `bytes`.
    @_optimize(size)
    package static func read(
        _ bytes: UnsafeRawBufferPointer
    ) throws(Failure) -> (record: PostbackRecord, body: UnsafeRawBufferPointer) {
        var reading = RecordReading(bytes)
        guard let first = reading.take(magic.utf8CodeUnitCount), isText(first, magic) else {
            throw corrupt("its first bytes are not those of such a record")
        }
        let found = reading.number(1) ?? 0
        guard found <= format else {
            throw Failure(.recordTooNew, "record of a postback: format \(found), this libskan reads format \(format)")
        }
        guard found == format, bytes.count >= checksumBytes else { throw corrupt("there is no format with its number") }
        let end = bytes.count &- checksumBytes
        var seal = RecordReading(UnsafeRawBufferPointer(rebasing: bytes[end...]))
        guard seal.number(checksumBytes) == checksum(UnsafeRawBufferPointer(rebasing: bytes[..<end])) else {
            throw corrupt("the checksum does not match")
        }
        reading.end = end
        guard let parts = parts(&reading), reading.isAtEnd else {
            throw corrupt("the lengths of its parts do not add up")
        }
        return parts
    }

    /// Reads everything between the format and the checksum; nil if a length or the result is illegal.
    @_optimize(size)
    private static func parts(
        _ reading: inout RecordReading
    ) -> (record: PostbackRecord, body: UnsafeRawBufferPointer)? {
        guard let number = reading.number(1), let result = PostbackResult(rawValue: Int32(number)),
            let outcome = reading.number(1), let decoding = reading.number(1), let flags = reading.number(1),
            let low = reading.number(8), let high = reading.number(8), let received = reading.number(8),
            let from = reading.number(8), let until = reading.number(8)
        else { return nil }
        var model: SHA256?
        if flags & UInt64(hasModel) != 0 {
            guard let digest = reading.take(SHA256.byteCount) else { return nil }
            model = SHA256(bytes: digest)
        }
        guard let networkCount = reading.number(1), networkCount <= networkBytes,
            let network = reading.take(Int(networkCount)), let bodyCount = reading.number(4), bodyCount <= bodyBytes,
            let body = reading.take(Int(bodyCount))
        else { return nil }
        let verdict = PostbackVerdict(
            result: result, omitsSourceApp: flags & UInt64(omitsSourceApp) != 0,
            isRespelled: flags & UInt64(isRespelled) != 0)
        var record = PostbackRecord(
            PostbackWriteID(low: low, high: high), verdict, received: Int64(bitPattern: received),
            network: [UInt8](network))
        record.outcome = PostbackOutcome(rawValue: Int32(outcome))
        record.decoding = PostbackDecoding(rawValue: Int32(decoding))
        record.time = ConversionTime(from: Int64(bitPattern: from), until: Int64(bitPattern: until))
        record.model = model
        return (record, body)
    }
}

private var magic: StaticString { "skpb" }
private var format: UInt8 { 1 }
private var checksumBytes: Int { 8 }
private var omitsSourceApp: UInt8 { 1 }
private var hasModel: UInt8 { 2 }
private var isRespelled: UInt8 { 4 }

private func corrupt(_ why: StaticString) -> Failure { Failure(.corruptRecord, "record of a postback: \(why)") }

private func seal(_ bytes: inout ByteBuffer) {
    let sum = bytes.withBytes { checksum($0) }
    bytes.append(littleEndian: sum, checksumBytes)
}

/// The checksum as a number whose bytes, in little-endian order, are the first 8 of the SHA-256.
private func checksum(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    let digest = sha256(bytes)
    return (UInt64(digest.words[0]) << 32 | UInt64(digest.words[1])).byteSwapped
}

private struct RecordReading {
    private let bytes: UnsafeRawBufferPointer
    private var position = 0
    var end: Int

    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
        end = bytes.count
    }

    var isAtEnd: Bool { position == end }

    mutating func take(_ count: Int) -> UnsafeRawBufferPointer? {
        guard count >= 0, end &- position >= count, end <= bytes.count else { return nil }
        defer { position &+= count }
        return UnsafeRawBufferPointer(rebasing: bytes[position..<(position &+ count)])
    }

    /// Reads a number of at most 8 bytes.
    @inline(never)
    mutating func number(_ count: Int) -> UInt64? {
        guard let taken = take(count) else { return nil }
        var number: UInt64 = 0
        for byte in taken.reversed() { number = number << 8 | UInt64(byte) }
        return number
    }
}

extension ByteBuffer {
    @inline(never)
    fileprivate mutating func append(littleEndian number: UInt64, _ count: Int) {
        for index in 0..<UInt64(count) { append(UInt8(truncatingIfNeeded: number >> (8 &* index))) }
    }

    fileprivate mutating func append(_ digest: SHA256) {
        for index in digest.words.indices {
            for shift in stride(from: UInt32(24), through: 0, by: -8) {
                append(UInt8(truncatingIfNeeded: digest.words[index] >> shift))
            }
        }
    }
}

extension SHA256 {
    /// Reads a digest from its 32 bytes.
    fileprivate init(bytes: UnsafeRawBufferPointer) {
        var words = InlineArray<8, UInt32>(repeating: 0)
        for index in 0..<min(bytes.count, 32) { words[index >> 2] = words[index >> 2] << 8 | UInt32(bytes[index]) }
        self.init(words: words)
    }
}
