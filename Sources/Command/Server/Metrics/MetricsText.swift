import SKANCore

/// Metrics in Prometheus' text form.
extension ByteBuffer {
    mutating func appendFamily(_ name: StaticString, _ kind: StaticString, _ help: StaticString) {
        append(line: "# HELP \(name) \(help)\n# TYPE \(name) \(kind)\n")
    }

    mutating func append(line: Message) { line.utf8.withUnsafeBytes { append($0) } }

    /// Appends 250 microseconds as "0.000250".
    mutating func append(seconds microseconds: UInt64) {
        append(line: "\(microseconds / 1_000_000).")
        append(decimal: microseconds % 1_000_000, digits: 6)
    }
}
