/// Rules, "Rename": what a record says of a rename that has not ended.
package struct RenameMark: Equatable, Sendable {
    package enum Stage: UInt8, Sendable {
        /// The record is to get the other id. It still counts.
        case moving = 1
        /// The record has got the other id; this is only what is left of it.
        case moved
        /// The record is a copy of the other id's, and does not count yet.
        case arriving
        /// The record came from the other id, and counts. What is left there has to be removed.
        case arrived
    }

    package let stage: Stage
    /// The other install id of the rename.
    package let other: [UInt8]

    package init(_ stage: Stage, _ other: [UInt8]) {
        self.stage = stage
        self.other = other
    }

    /// Whether the record is an install. One that is arriving becomes an install when the other record says that it has
    /// moved.
    package var counts: Bool { stage == .moving || stage == .arrived }

    /// The rename that a record with this mark belongs to, if `id` is the record's install id.
    package func rename(of id: [UInt8]) -> RenamePair {
        switch stage {
        case .moving, .moved: RenamePair(old: id, new: other)
        case .arriving, .arrived: RenamePair(old: other, new: id)
        }
    }
}

/// The two install ids of a rename.
package struct RenamePair: Equatable, Sendable {
    package let old, new: [UInt8]

    package init(old: [UInt8], new: [UInt8]) {
        self.old = old
        self.new = new
    }
}
