internal import SKANCore
internal import SKANSystem

/// What a statement is given, in binary form. Bytes have to stay until it is sent.
enum Parameter {
    case bytes(Bytes)
    case number(UInt64)
}

extension [Parameter] {
    /// Of `insert` and `update`.
    static func saving(_ key: Bytes, _ record: Bytes, _ version: UInt64, _ expected: UInt64) -> [Parameter] {
        expected == 0
            ? [.bytes(key), .number(version), .bytes(record)]
            : [.bytes(key), .number(version), .bytes(record), .number(expected)]
    }

    /// As libpq takes them.
    func withPointers<Result>(
        _ body: (
            _ values: UnsafePointer<UnsafePointer<CChar>?>?, _ lengths: UnsafePointer<Int32>?,
            _ formats: UnsafePointer<Int32>?
        ) -> Result
    ) -> Result {
        withUnsafeTemporaryAllocation(of: UInt64.self, capacity: count) { numbers in
            withUnsafeTemporaryAllocation(of: UnsafePointer<CChar>?.self, capacity: count) { values in
                withUnsafeTemporaryAllocation(of: Int32.self, capacity: 2 * count) { integers in
                    for (index, parameter) in enumerated() {
                        let bytes: Bytes
                        switch parameter {
                        case .bytes(let given): bytes = given
                        case .number(let number):
                            numbers.initializeElement(at: index, to: number.bigEndian)
                            bytes = Bytes(start: numbers.baseAddress.map { $0 + index }, count: 8)
                        }
                        // No pointer would be NULL.
                        let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self) ?? StaticString("").cString
                        values.initializeElement(at: index, to: start)
                        integers.initializeElement(at: index, to: Int32(clamping: bytes.count))
                        integers.initializeElement(at: count + index, to: 1)
                    }
                    return body(values.baseAddress, integers.baseAddress, integers.baseAddress.map { $0 + count })
                }
            }
        }
    }
}
