/// Rules, "Rename": the next step of a rename, which follows from the records of both ids. The new id's record is
/// loaded first, then the old id's, so that the old record, which decides, is never known in an older state than the
/// new one.
package enum RenameStep: Equatable, Sendable {
    /// Save the old record with the mark that it is moving. This begins the rename.
    case begin
    /// Save a copy of the old record under the new id, with the mark that it is arriving.
    case copy
    /// Save the old record without content, with the mark that it has moved. From then on the record under the new id
    /// is the valid one.
    case commit
    /// Save the new record with the mark that it has arrived.
    case arrive
    case removeOld
    case removeNew
    /// Save the old record without its mark, because the new id was taken meanwhile.
    case giveUp
    /// Save the new record without its mark. This ends the rename.
    case end
    /// Load both records again.
    case look
    /// First carry out another rename, to which one of the records belongs.
    case first(RenamePair)
    /// The rename is over, with this status.
    case over(Status)
}

package enum RenameGoal: Sendable {
    /// Give the install the new id.
    case rename
    /// Complete a rename that was begun elsewhere.
    case settle
    /// Forget the install of the old id, together with its copy under the new id.
    case erase
}

/// The version and the rename mark of a loaded record, from which the next step follows.
package struct SeenRecord: Sendable {
    /// The version of the record; 0 if there is no record.
    package let version: UInt64
    package let mark: RenameMark?

    package init(version: UInt64, mark: RenameMark?) {
        self.version = version
        self.mark = mark
    }
}

/// The facts that a rename knows from its earlier steps.
package struct RenameProgress: Hashable, Sendable {
    /// The version of the old record that was copied; 0 if none was copied yet.
    package var copied: UInt64 = 0
    /// The version of the old record as it was loaded with the mark `moved`; 0 if it was never loaded with it.
    package var moved: UInt64 = 0
    /// Whether the old record is known to have got the mark of this rename.
    package var hasBegun = false
    /// Whether it is known that the install has moved. From then on, the record under the new id is the valid one.
    package var hasMoved = false

    package init() {}

    /// Notes what the choice of a step shows about the rename.
    package mutating func note(_ step: RenameStep, old: SeenRecord) {
        switch step {
        case .copy, .commit: hasBegun = true
        case .look: moved = old.version
        case .arrive: (moved, hasMoved) = (old.version, true)
        case .removeOld: hasMoved = true
        case .end: if old.version == 0 { hasMoved = true }
        case .begin, .removeNew, .giveUp, .first, .over: break
        }
    }

    /// Notes that a step was applied. Returns the next step if it needs no new look at the records, otherwise nil.
    package mutating func applied(_ step: RenameStep, old: SeenRecord) -> RenameStep? {
        switch step {
        case .begin: hasBegun = true
        case .copy:
            copied = old.version
            return .commit
        case .commit: hasMoved = true
        default: break
        }
        return nil
    }
}

extension RenamePair {
    package func step(
        _ goal: RenameGoal, _ progress: RenameProgress, new: SeenRecord, old: SeenRecord
    ) -> RenameStep {
        let isCopy = new.mark == RenameMark(.arriving, self.old)
        let hasArrived = new.mark == RenameMark(.arrived, self.old)
        if old.mark == RenameMark(.moved, self.new) {
            if isCopy { return .arrive }
            // The new record may have been loaded before the copy was made, or may be left over from an older rename.
            return progress.moved == old.version ? .removeOld : .look
        }
        if old.mark == RenameMark(.moving, self.new) {
            if goal == .erase { return isCopy ? .removeNew : .removeOld }
            return moving(progress, new: new, old: old, isCopy: isCopy)
        }
        // The rename has ended or was given up, so if there is a copy, it came too late.
        if isCopy { return .removeNew }
        if hasArrived { return .end }
        return goal == .rename ? beginning(progress, new: new, old: old) : .over(.ok)
    }

    private func moving(
        _ progress: RenameProgress, new: SeenRecord, old: SeenRecord, isCopy: Bool
    ) -> RenameStep {
        if isCopy { return progress.copied == old.version ? .commit : .copy }
        if new.version == 0 { return .copy }
        return otherRename(new) ?? .giveUp
    }

    private func beginning(_ progress: RenameProgress, new: SeenRecord, old: SeenRecord) -> RenameStep {
        if progress.hasMoved || (progress.hasBegun && old.version == 0) { return .over(.ok) }
        if old.version == 0 { return .over(.notFound) }
        if let mark = old.mark { return .first(mark.rename(of: self.old)) }
        if new.version == 0 { return .begin }
        return otherRename(new) ?? .over(.alreadyRegistered)
    }

    /// The other rename to carry out first, if the new id's record belongs to one and does not count as an install.
    private func otherRename(_ new: SeenRecord) -> RenameStep? {
        guard let mark = new.mark, !mark.counts else { return nil }
        return .first(mark.rename(of: self.new))
    }
}
