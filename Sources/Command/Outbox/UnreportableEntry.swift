import SKANCommandStores
import SKANSystem

/// What to do with an entry that this server cannot report, because its partner is not in the file of networks or its
/// postback cannot be read or decoded. Another server on the store may be able to report it, with newer files or a
/// newer program.
enum UnreportableCourse: Equatable {
    case leave
    /// The entry was written while a clock was ahead. It becomes due now, and servers have a day from now to report it.
    case beginDay(Int64)
    /// The entry has been due for a day, and no server took it.
    case giveUp
}

extension OutboxSettings {
    func course(ofUnreportable entry: OutboxEntry, now: Int64) -> UnreportableCourse {
        if entry.due <= now - givenUpAfter { return .giveUp }
        return due(of: entry, now: now) < entry.due ? .beginDay(now) : .leave
    }
}
