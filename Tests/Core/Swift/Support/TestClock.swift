import SKAN
import Synchronization

/// A clock that shows what it is told.
final class TestClock: Sendable {
    private let shown: Atomic<Int64>

    /// A moment in January 2022, like the vectors'.
    init(seconds: Int64 = 1_643_393_464) { shown = Atomic(seconds * 1_000_000) }

    var microseconds: Int64 {
        get { shown.load(ordering: .relaxed) }
        set { shown.store(newValue, ordering: .relaxed) }
    }

    var seconds: Int64 {
        get { microseconds / 1_000_000 }
        set { microseconds = newValue * 1_000_000 }
    }

    var hook: Engine.Clock { { self.microseconds } }
}
