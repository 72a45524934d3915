internal import CSKANSupport
internal import CSKANSystem
package import SKANCore
package import SKANSystem

/// The source from which a server has the time.
package enum ServerClock: Sendable {
    case system
    /// A file with the time, for tests and demos.
    case file(VirtualClock)

    /// Microseconds since 1970; what else a clock may say is up to the caller.
    package var microseconds: Int64 {
        switch self {
        case .system: support_now()
        case .file(let clock): clock.microseconds
        }
    }
}

/// The time stands in a file, eight bytes, a signed number in the machine's order, which whoever plays the days
/// changes.
package final class VirtualClock: Sendable {
    private let descriptor: Int32

    /// Throws what the system says where the file cannot be opened.
    package convenience init(_ file: CText) throws(Failure) {
        let opened = system_open(file.characters, O_RDONLY | O_CLOEXEC, 0)
        guard opened >= 0 else { throw Failure(.clock, Message(systemError: systemError)) }
        guard time(in: opened) >= 0 else {
            close(opened)
            throw Failure(.clock, "expected eight bytes with microseconds since 1970")
        }
        self.init(opened)
    }

    private init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    fileprivate var microseconds: Int64 { time(in: descriptor) }
}

/// -1 where the file does not tell it: one that was cut, or a time before 1970.
private func time(in descriptor: Int32) -> Int64 {
    var time: Int64 = 0
    let size = MemoryLayout<Int64>.size
    let isWhole = withUnsafeMutableBytes(of: &time) { pread(descriptor, $0.baseAddress, size, 0) == size }
    return isWhole && 0...latestTime ~= time ? time : -1
}

/// The latest time, which is more than a hundred thousand years away, so that sums of times stay in range.
private var latestTime: Int64 { .max / 2 }
