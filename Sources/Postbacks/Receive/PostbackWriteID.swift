package import SKANCore
internal import SKANSystem

/// The unique id of a write of a record: 128 random bits.
package struct PostbackWriteID: Equatable, Sendable {
    let low: UInt64
    let high: UInt64

    package static func draw() throws(Failure) -> PostbackWriteID {
        var bits: (UInt64, UInt64) = (0, 0)
        guard fillRandom(&bits) else {
            throw Failure(.store, "no random number: \(Message(systemError: systemError))")
        }
        return PostbackWriteID(low: bits.0, high: bits.1)
    }
}
