import CSKANSupport
import CSKANSystem
package import SKANCore
package import SKANSystem

package enum ServerClock: Sendable {
    case system
    /// A file that contains the time, for tests and demos.
    case file(VirtualClock)

    /// Microseconds since 1970; -1 if the clock's file does not contain a valid time, which the caller must handle.
    package var microseconds: Int64 {
        switch self {
        case .system: support_now()
        case .file(let clock): clock.microseconds
        }
    }
}

/// A clock that a test or demo sets by writing a file of eight bytes: the microseconds since 1970, as a signed number
/// in the machine's byte order.
package final class VirtualClock: Sendable {
    private let descriptor: Int32

    /// Throws the system's message if the file cannot be opened.
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

/// Returns the time in the file; -1 if the file is too short, or the time is before 1970 or after `latestTime`.
private func time(in descriptor: Int32) -> Int64 {
    var time: Int64 = 0
    let size = MemoryLayout<Int64>.size
    let isWhole = withUnsafeMutableBytes(of: &time) { pread(descriptor, $0.baseAddress, size, 0) == size }
    return isWhole && 0...latestTime ~= time ? time : -1
}

/// The latest valid time, over a hundred thousand years away. It is limited so that sums of times do not overflow.
private var latestTime: Int64 { .max / 2 }
