import CSKAN
import CSKANSystem
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
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private var free: [ForeignBuffer] = []

    init() {
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        for buffer in free { skan_buffer_destroy(buffer.pointer) }
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    func take(holding held: Bytes? = nil) -> ForeignBuffer {
        pthread_mutex_lock(mutex)
        let left = free.popLast()
        pthread_mutex_unlock(mutex)
        let buffer = left ?? ForeignBuffer(pointer: skan_buffer_create())
        if let held { skan_buffer_set(buffer.pointer, held.baseAddress, held.count) }
        return buffer
    }

    func take(holding held: StaticString) -> ForeignBuffer {
        take(holding: held.bytes)
    }

    func takeBack(_ buffer: ForeignBuffer) {
        pthread_mutex_lock(mutex)
        free.append(buffer)
        pthread_mutex_unlock(mutex)
    }
}
