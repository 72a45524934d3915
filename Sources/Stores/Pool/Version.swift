package import SKANCore
internal import SKANSystem

/// The greatest version that is drawn: the greatest signed 64-bit number, as databases know them.
package var greatestVersion: UInt64 { UInt64(Int64.max) }

/// 63 bits from the system, neither 0 nor `other`: the version of a record.
///
/// A counter of the whole store would be a second page, or row, to write for every change; and it would give numbers a
/// second time after a power failure that lost some, or when an older copy is put back under running processes. Only
/// two versions of the same key can be taken for each other: with a million changes of one install the odds that any
/// two are equal are 1 in 18 million, and harm needs a caller that still waits with the first of them, 1 in 9 * 10^18
/// for each such caller and change.
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
