internal import CSKANSystem
package import SKANCore
internal import SKANSystem

/// What tells the record that a call wrote from all others: 128 random bits.
package struct PostbackWriteID: Equatable, Sendable {
    let low: UInt64
    let high: UInt64

    package static func draw() throws(Failure) -> PostbackWriteID {
        var bits: (UInt64, UInt64) = (0, 0)
        let size = MemoryLayout.size(ofValue: bits)
        var count: Int
        repeat {
            count = getrandom(&bits, size, 0)
        } while count < 0 && systemError == EINTR
        guard count == size else { throw Failure(.store, "no random number: \(Message(systemError: systemError))") }
        return PostbackWriteID(low: bits.0, high: bits.1)
    }
}
