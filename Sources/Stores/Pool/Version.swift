package import SKANCore
internal import SKANSystem

/// The greatest version that is drawn: the greatest signed 64-bit integer, because databases have no unsigned ones.
package var greatestVersion: UInt64 { UInt64(Int64.max) }

/// Draws the version of a record: 63 random bits from the system, neither 0 nor `other`.
///
/// A counter for the whole store would be a second page, or row, to write in every change. It would also repeat numbers
/// after a power failure that lost some, or after an older copy is restored under running processes. Only two versions
/// of the same key can be confused. With a million changes of one install the odds that any two are equal are 1 in 18
/// million. And equal versions only do harm if a caller still holds the earlier one: for each such caller and change
/// the odds are 1 in 9 * 10^18.
package func drawVersion(otherThan other: UInt64) throws(Failure) -> UInt64 {
    var version: UInt64 = 0
    repeat {
        guard fillRandom(&version) else {
            throw Failure(.store, "save: no random number: \(Message(systemError: systemError))")
        }
        version >>= 1
    } while version == 0 || version == other
    return version
}
