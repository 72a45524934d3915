/// Rules, "Rename": the mark in a record that belongs to a rename which has not ended.
package struct RenameMark: Equatable, Sendable {
    package enum Stage: UInt8, Sendable {
        /// The install is to get the other id. This record still counts.
        case moving = 1
        /// The install has got the other id. This record, under the old id, no longer counts.
        case moved
        /// The record is a copy of the other id's record, and does not count yet.
        case arriving
        /// The install came from the other id. This record counts; the record that is left under the other id has to be
        /// removed.
        case arrived
    }

    package let stage: Stage
    /// The other install id of the rename.
    package let other: [UInt8]

    package init(_ stage: Stage, _ other: [UInt8]) {
        self.stage = stage
        self.other = other
    }

    /// Whether a record with this mark counts as an install. An arriving record counts only once the other record is
    /// marked as moved.
    package var counts: Bool { stage == .moving || stage == .arrived }

    /// The rename that a record with this mark belongs to, if `id` is the record's install id.
    package func rename(of id: [UInt8]) -> RenamePair {
        switch stage {
        case .moving, .moved: RenamePair(old: id, new: other)
        case .arriving, .arrived: RenamePair(old: other, new: id)
        }
    }
}

package struct RenamePair: Equatable, Sendable {
    package let old, new: [UInt8]

    package init(old: [UInt8], new: [UInt8]) {
        self.old = old
        self.new = new
    }
}
