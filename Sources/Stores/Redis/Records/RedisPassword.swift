internal import CSKANSystem
internal import SKANSystem

/// A password, whose memory is overwritten when it is freed.
final class RedisPassword: @unchecked Sendable {
    private let memory: UnsafeMutableRawBufferPointer
    private let count: Int

    /// Creates a password that `write` writes into memory of `size` bytes. `write` returns the password's length.
    init(atMost size: Int, _ write: (UnsafeMutableRawBufferPointer) -> Int) {
        memory = .allocate(byteCount: size, alignment: 1)
        count = min(max(write(memory), 0), size)
    }

    deinit {
        if let start = memory.baseAddress { explicit_bzero(start, memory.count) }
        memory.deallocate()
    }

    /// Valid as long as this object.
    var bytes: Bytes { Bytes(rebasing: memory[..<count]) }
}
