import SKANCore
import Synchronization

/// Counts the results of calls since the outbox started.
final class OutboxCounts: Sendable {
    private let delivered = Atomic<UInt64>(0)
    private let failed = Atomic<UInt64>(0)
    private let givenUp = Atomic<UInt64>(0)
    /// The number of dead entries in the store: those found by the last search and those given up by this process
    /// since.
    private let dead = Atomic<UInt64>(0)

    func countDelivered() { delivered.add(1, ordering: .relaxed) }

    func countFailed() { failed.add(1, ordering: .relaxed) }

    func countGivenUp() {
        givenUp.add(1, ordering: .relaxed)
        dead.add(1, ordering: .relaxed)
    }

    func noteDead(_ count: UInt64) { dead.store(count, ordering: .relaxed) }

    /// Returns the metrics in Prometheus' text form. `known`: the number of known entries. `underWay`: the number of
    /// calls under way.
    func metrics(known: Int, underWay: Int) -> Message {
        """
        # HELP skan_outbox_waiting What partners have to be told, as far as this process knows.
        # TYPE skan_outbox_waiting gauge
        skan_outbox_waiting \(known)
        # HELP skan_outbox_in_flight Calls of partners that are under way.
        # TYPE skan_outbox_in_flight gauge
        skan_outbox_in_flight \(underWay)
        # HELP skan_outbox_dead What was given up, in the store, by the last search.
        # TYPE skan_outbox_dead gauge
        skan_outbox_dead \(dead.load(ordering: .relaxed))
        # HELP skan_outbox_delivered_total Calls that partners answered with 200.
        # TYPE skan_outbox_delivered_total counter
        skan_outbox_delivered_total \(delivered.load(ordering: .relaxed))
        # HELP skan_outbox_failed_total Calls that failed.
        # TYPE skan_outbox_failed_total counter
        skan_outbox_failed_total \(failed.load(ordering: .relaxed))
        # HELP skan_outbox_given_up_total Given up by this process.
        # TYPE skan_outbox_given_up_total counter
        skan_outbox_given_up_total \(givenUp.load(ordering: .relaxed))

        """
    }
}
