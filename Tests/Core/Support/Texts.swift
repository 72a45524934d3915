import SKANCore

/// The core works on bytes; its tests speak in texts.

extension String {
    /// Shows the text's bytes to a function of the core.
    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try Array(utf8).withUnsafeBytes(body)
    }
}

extension Array where Element == UInt8 {
    init(_ text: String) { self.init(text.utf8) }

    init(hex: String) {
        let digits = hex.compactMap { $0.hexDigitValue }
        self = stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] * 16 + digits[$0 + 1]) }
    }

    var hex: String {
        map { byte -> String in
            let digits = String(byte, radix: 16)
            return byte < 16 ? "0" + digits : digits
        }.joined()
    }
}

/// What a function writes into memory of this size; it answers how many bytes these are.
func written(atMost size: Int, _ write: (UnsafeMutableRawPointer) -> Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: size) { memory, count in
        if let base = memory.baseAddress { count = write(UnsafeMutableRawPointer(base)) }
    }
}

extension Currency {
    static let dollar = Currency.of("USD")
    static let euro = Currency.of("EUR")

    /// The currency of a name that is one.
    static func of(_ name: String) -> Currency {
        guard let currency = name.withBytes({ Currency($0) }) else { preconditionFailure("\(name) is no currency") }
        return currency
    }

    /// One for each number, in alphabetical order.
    static func number(_ number: Int) -> Currency {
        let letters = [number / 26 / 26, number / 26 % 26, number % 26].map { UInt8(65 + $0) }
        return of(String(decoding: letters, as: UTF8.self))
    }
}

extension Message {
    var text: String { String(decoding: utf8, as: UTF8.self) }
}

/// What a function of the core wrote.
func written(_ write: (inout ByteBuffer) -> Void) -> String {
    var buffer = ByteBuffer(capacity: 1)
    write(&buffer)
    return text(of: buffer)
}

func text(of buffer: borrowing ByteBuffer) -> String { String(decoding: buffer.array, as: UTF8.self) }

/// Shows a query, and memory of its size, to a function that reads requests.
func withQuery<Result>(
    _ query: String, _ body: (UnsafeRawBufferPointer, UnsafeMutableRawBufferPointer) throws -> Result
) rethrows -> Result {
    try query.withBytes { query in
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: query.count, alignment: 1)
        defer { memory.deallocate() }
        return try body(query, memory)
    }
}

/// What a call gave, or why it failed.
func outcome<Success>(_ body: () throws(Failure) -> Success) -> Result<Success, Failure> {
    do throws(Failure) {
        return .success(try body())
    } catch {
        return .failure(error)
    }
}

extension Result where Failure == SKANCore.Failure {
    /// The name of the status a failed call answers, nil for one that did not fail.
    var failedStatus: String? {
        guard case .failure(let failure) = self else { return nil }
        return failure.status.description
    }

    var failedMessage: String? {
        guard case .failure(let failure) = self else { return nil }
        return failure.message.text
    }

    var value: Success? { try? get() }
}

extension Status: CustomStringConvertible {
    /// The name in skan.h.
    public var description: String { name.description }
}

/// What `write` writes.
func writtenJSON(_ write: (inout JSONWriter) -> Void) -> String {
    var json = JSONWriter(capacity: 1)
    write(&json)
    return text(of: json.finish())
}
