import CSKAN
import SKANCore
import SKANSystem

/// A buffer of libskan, which is passed to stores.
struct ForeignBuffer {
    let pointer: OpaquePointer?

    var bytes: [UInt8] { [UInt8](Bytes(start: skan_buffer_data(pointer), count: skan_buffer_size(pointer))) }
}

/// The buffers of a run. They are reused, and each holds what the last call left in it. They exist until the end of the
/// run, so that a store that keeps one fails a law and does not crash. Any thread may use them.
final class ForeignBuffers: @unchecked Sendable {
    private let lock = Lock()
    private var free: [ForeignBuffer] = []

    deinit {
        for buffer in free { skan_buffer_destroy(buffer.pointer) }
    }

    func take(holding held: Bytes? = nil) -> ForeignBuffer {
        let buffer = lock.hold { free.popLast() } ?? ForeignBuffer(pointer: skan_buffer_create())
        if let held { skan_buffer_set(buffer.pointer, held.baseAddress, held.count) }
        return buffer
    }

    func take(holding held: StaticString) -> ForeignBuffer {
        take(holding: held.bytes)
    }

    func takeBack(_ buffer: ForeignBuffer) {
        lock.hold { free.append(buffer) }
    }
}
