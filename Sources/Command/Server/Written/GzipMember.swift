import CSKANZlib
package import SKANCore
package import SKANSystem

/// Unpacks the members of a gzip file (RFC 1952) one by one.
package final class GzipMember {
    package struct Step {
        /// The number of packed bytes consumed.
        package let used: Int
        /// The unpacked bytes, valid until the next step.
        package let unpacked: Bytes
        /// Whether the member ended with the right checksum and length.
        package let isEnd: Bool
    }

    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    private let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 1)
    private var isReady = false

    package init() { stream.initialize(to: z_stream()) }

    deinit {
        if isReady { inflateEnd(stream) }
        stream.deallocate()
        memory.deallocate()
    }

    /// The first bytes of each member.
    package static var magic: [UInt8] { [0x1F, 0x8B] }

    /// Called before each member.
    @export(interface)
    package func begin() throws(Failure) {
        // 15 is gzip's largest window size, and 16 requires a gzip header.
        let code =
            isReady
            ? inflateReset(stream)
            : inflateInit2_(stream, 15 + 16, zlibVersion(), Int32(MemoryLayout<z_stream>.size))
        guard code == Z_OK else { throw Failure(.invalidDocument, "zlib: no memory") }
        isReady = true
    }

    /// Unpacks as many of the packed bytes as the output block can hold.
    @export(interface)
    package func step(_ packed: Bytes) throws(Failure) -> Step {
        stream.pointee.next_in = UnsafeMutablePointer(mutating: packed.bindMemory(to: UInt8.self).baseAddress)
        stream.pointee.avail_in = UInt32(clamping: packed.count)
        stream.pointee.next_out = memory.bindMemory(to: UInt8.self).baseAddress
        stream.pointee.avail_out = UInt32(clamping: memory.count)
        let code = inflate(stream, Z_NO_FLUSH)
        // Z_BUF_ERROR means that no progress was possible with these bytes.
        guard code == Z_OK || code == Z_STREAM_END || code == Z_BUF_ERROR else {
            throw Failure(.invalidDocument, "its gzip data is damaged")
        }
        let unpacked = memory.count - Int(stream.pointee.avail_out)
        return Step(
            used: packed.count - Int(stream.pointee.avail_in), unpacked: Bytes(rebasing: Bytes(memory)[..<unpacked]),
            isEnd: code == Z_STREAM_END)
    }
}
