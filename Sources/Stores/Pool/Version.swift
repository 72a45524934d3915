package import SKANCore
internal import SKANSystem

/// The greatest version that a store draws: the greatest signed 64-bit integer, because databases lack unsigned ones.
package var greatestVersion: UInt64 { UInt64(Int64.max) }

/// Draws the version of a record: 63 random bits from the system, neither 0 nor `other`.
///
/// A counter for the whole store would add a second page or row to every write. After a power failure that lost
/// changes, or after an older copy is restored under running processes, it would also give the same numbers again.
/// Random versions need to differ only within one key. Among a million changes of one install, the odds that any two
/// versions are equal are 1 in 18 million. Even then, equal versions do harm only if a caller still holds the earlier
/// one: for each such caller and change the odds are 1 in 9 * 10^18.
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
