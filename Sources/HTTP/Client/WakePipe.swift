internal import CSKANSystem
internal import SKANCore
internal import SKANSystem

/// A pipe with which other threads wake the thread that polls it.
struct WakePipe {
    private(set) var reader: Int32 = -1
    private var writer: Int32 = -1

    init() throws(Failure) {
        guard system_pipe(&reader, &writer) == 0 else {
            throw Failure(.transport, "pipe: \(Message(systemError: systemError))")
        }
    }

    /// A full pipe wakes the thread too, so a failed write is no error.
    func write() {
        var byte: UInt8 = 0
        _ = CSKANSystem.write(writer, &byte, 1)
    }

    func empty() {
        withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { bytes in
            while read(reader, bytes.baseAddress, bytes.count) > 0 {}
        }
    }

    mutating func close() {
        if reader >= 0 { _ = CSKANSystem.close(reader) }
        if writer >= 0 { _ = CSKANSystem.close(writer) }
        reader = -1
        writer = -1
    }
}
