package import SKANCore
package import SKANSystem

/// The format of a record and of its key.
///
/// The stored value is a Redis string: "SK", the number of this layout, the version (8 bytes, most significant first),
/// the record. The Redis key is prefix{key}: the braces make the install's id the hash tag, by which a cluster chooses
/// the slot. A prefix contains no braces, so that the Redis keys of different installs and prefixes differ, whatever
/// braces an id has.
package enum RedisLayout {
    private static var number: UInt8 { 1 }
    private static var markBytes: Int { 3 }
    package static var headerBytes: Int { 11 }
    package static var prefixBytes: Int { 64 }

    // MARK: Values

    package static func writeHeader(_ version: UInt64, to out: inout ByteBuffer) {
        out.append("SK")
        out.append(number)
        for shift in stride(from: UInt64(56), through: 0, by: -8) {
            out.append(UInt8(truncatingIfNeeded: version >> shift))
        }
    }

    package enum Value {
        case none
        case record(Bytes, version: UInt64)
        /// This store did not write the value; the message says what it is.
        case foreign(Message)
    }

    package static func read(_ value: Bytes) -> Value {
        guard let first = value.first else { return .none }
        let isMarked = value.count >= markBytes && value[0] == UInt8(ascii: "S") && value[1] == UInt8(ascii: "K")
        if isMarked && value[2] > number && value[2] < 0x20 {
            return .foreign(
                "a record of layout \(value[2]), of a newer libskan-redis; this one knows layout \(number)")
        }
        if isMarked && value[2] == number && value.count >= headerBytes {
            var version: UInt64 = 0
            for index in markBytes..<headerBytes { version = version << 8 | UInt64(value[index]) }
            if 1...UInt64(Int64.max) ~= version {
                return .record(Bytes(rebasing: value[headerBytes...]), version: version)
            }
        }
        let digits = Message(utf8: [hexDigit(first >> 4), hexDigit(first & 15)])
        return .foreign(
            """
            the value under an install's key is not a record of libskan but another program's (expected the bytes 53 \
            4B 01 and a version, found \(value.count) bytes, the first \(digits))
            """
        )
    }

    // MARK: Keys

    /// Whether the key is longer than any that an engine uses.
    package static func isTooLong(_ key: Bytes) -> Bool { key.count > Limits.installIDBytes }

    package static func keyBytes(_ prefix: [UInt8], _ key: Bytes) -> Int { prefix.count + key.count + 2 }

    /// Writes the full key, prefix{key}, which has `keyBytes` bytes.
    package static func writeKey(_ prefix: [UInt8], _ key: Bytes, to out: inout ByteBuffer) {
        prefix.withUnsafeBytes { out.append($0) }
        out.append(UInt8(ascii: "{"))
        out.append(key)
        out.append(UInt8(ascii: "}"))
    }

    /// The slot of a cluster to which a key belongs.
    package static func slot(_ prefix: [UInt8], _ key: Bytes) -> Int {
        var full = ByteBuffer(capacity: keyBytes(prefix, key))
        writeKey(prefix, key, to: &full)
        return full.withBytes { RedisSlot.of($0) }
    }

    /// The key in a full key, prefix{key}; nil if the full key has another prefix or another form.
    package static func key(in full: Bytes, _ prefix: [UInt8]) -> Bytes? {
        guard prefix.count + 3...prefix.count + 2 + Limits.installIDBytes ~= full.count, full.starts(with: prefix),
            full[prefix.count] == UInt8(ascii: "{"), full.last == UInt8(ascii: "}")
        else { return nil }
        let key = full[(prefix.count + 1)..<(full.count - 1)]
        return key.contains(where: isControl) ? nil : Bytes(rebasing: key)
    }

    /// The pattern with which SCAN finds the full keys that have this prefix and whose keys begin with `first`.
    package static func pattern(_ prefix: [UInt8], keysBeginningWith first: Bytes) -> [UInt8] {
        escaped(prefix) + [UInt8(ascii: "{")] + escaped(first) + [UInt8(ascii: "*"), UInt8(ascii: "}")]
    }

    private static func escaped(_ text: some Sequence<UInt8>) -> [UInt8] {
        var pattern: [UInt8] = []
        for byte in text {
            switch byte {
            case UInt8(ascii: "*"), UInt8(ascii: "?"), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "^"),
                UInt8(ascii: "-"), UInt8(ascii: "\\"):
                pattern.append(UInt8(ascii: "\\"))
            default: break
            }
            pattern.append(byte)
        }
        return pattern
    }

    package static func checkPrefix(_ prefix: [UInt8]) throws(Failure) {
        if prefix.count > prefixBytes {
            throw Failure(
                .invalidArgument, "options.prefix: expected at most \(prefixBytes) bytes, got \(prefix.count)")
        }
        for index in prefix.indices {
            let byte = prefix[index]
            guard isControl(byte) || byte == UInt8(ascii: "{") || byte == UInt8(ascii: "}") else { continue }
            let digits = Message(utf8: [hexDigit(byte >> 4), hexDigit(byte & 15)])
            throw Failure(
                .invalidArgument,
                "options.prefix: expected no braces and no bytes 00-1F and 7F, got \(digits) at \(index)")
        }
    }

    private static func isControl(_ byte: UInt8) -> Bool { byte < 0x20 || byte == 0x7F }
}
