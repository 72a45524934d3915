import CSKAN
import SKANCore
import SKANSystem

/// A buffer of the library's, which stores are given.
struct ForeignBuffer {
    let pointer: OpaquePointer?

    var bytes: [UInt8] { [UInt8](Bytes(start: skan_buffer_data(pointer), count: skan_buffer_size(pointer))) }
}

/// The buffers of a run, given again and again: each holds what the last call left there. They are there until the end
/// of the run, so that a store that keeps one is found out, not crashed. From any thread.
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
