internal import CSKANSupport
internal import CSKANSystem
package import SKANCore
package import SKANSystem
internal import Synchronization

/// Where a server has the time from.
package enum ServerClock: Sendable {
    case system
    /// For tests and demos.
    case file(VirtualClock)

    /// Microseconds since 1970; what else a clock may say is up to the caller.
    package var microseconds: Int64 {
        switch self {
        case .system: support_now()
        case .file(let clock): clock.microseconds
        }
    }
}

/// The time stands in a file, eight bytes, a signed number in the machine's order, which whoever plays the days changes.
package final class VirtualClock: @unchecked Sendable {
    private let memory: UnsafeMutableRawPointer

    /// Throws what the system says where the file cannot be mapped.
    package init(_ file: CText) throws(Failure) {
        let opened = system_open(file.characters, O_RDONLY | O_CLOEXEC, 0)
        guard opened >= 0 else { throw Failure(.clock, Message(systemError: systemError)) }
        defer { close(opened) }
        var found = stat()
        // Shorter files would end the process when they are read.
        guard fstat(opened, &found) == 0, found.st_size >= VirtualClock.size else {
            throw Failure(.clock, Message(systemError: EINVAL))
        }
        let mapped = mmap(nil, VirtualClock.size, PROT_READ, MAP_SHARED, opened, 0)
        guard let mapped, mapped != UnsafeMutableRawPointer(bitPattern: -1) else {
            throw Failure(.clock, Message(systemError: systemError))
        }
        memory = mapped
    }

    deinit { munmap(memory, VirtualClock.size) }

    private static var size: Int { MemoryLayout<Int64>.size }

    fileprivate var microseconds: Int64 {
        memory.assumingMemoryBound(to: Atomic<Int64>.self).pointee.load(ordering: .relaxed)
    }
}
