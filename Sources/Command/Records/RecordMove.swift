import SKANCommandOutput
import SKANCommandStores
import SKANCore
import SKANSystem

/// The stores, options and counts of one run of skan move.
final class RecordMove {
    let from: OpenStore
    let to: OpenStore
    let keeps: Bool
    let replaces: Bool
    /// Whether `from` and `to` are known to be different stores.
    var areDistinct = false
    /// Whether `from` and `to` are known to be the same store, so that nothing may be removed.
    var areOne = false
    /// The number of keys for which the stores have different records.
    var differing: UInt64 = 0
    private(set) var failed: UInt64 = 0
    private var moved = RecordCounts()
    /// The number of records of which `to` already had an equal copy before this run.
    private var alreadyThere: UInt64 = 0

    init(from: OpenStore, to: OpenStore, keeps: Bool, replaces: Bool) {
        self.from = from
        self.to = to
        self.keeps = keeps
        self.replaces = replaces
    }

    /// Counts a record whose copy has arrived. If `to` had the copy before this run, the record counts as moved only if
    /// this run removed the source.
    func count(_ kind: RecordKind, wasThere: Bool) {
        if wasThere { alreadyThere += 1 }
        if !wasThere || !keeps { moved.count(kind) }
    }

    func fail(_ key: Bytes, _ why: Message) {
        failed += 1
        complain(Message(utf8: [UInt8](key)), why)
    }

    func end(_ walk: StoreWalk) -> ExitCode {
        StandardOutput.line(
            walk.sum(
                "\(moved.words) \(keeps ? "copied" as StaticString : "moved")",
                [
                    (alreadyThere, keeps ? "already there" : "of them already there"),
                    (differing, "in both stores with different records"),
                    (failed, keeps ? "could not be copied" : "could not be moved"),
                ]))
        return walk.isComplete && differing == 0 && failed == 0 && walk.failed == 0 ? .fine : .found
    }
}
