/// Rules, "Pending and acknowledge": a back end cannot push, so an update waits until the app calls.

extension Conversion {
    /// The update that waits: not acknowledged, and its window is open.
    package func pendingUpdate(at now: Int64) -> ValueUpdate? {
        guard let lastUpdate, !isLastUpdateDelivered, window(at: now) == lastUpdate.window else { return nil }
        return lastUpdate
    }

    /// Notes what became of an update; false where it is not the last one, or was known.
    fileprivate mutating func acknowledge(id: UInt64, isDelivered: Bool) -> Bool {
        guard let lastUpdate, lastUpdate.id == id, isLastUpdateDelivered != isDelivered else { return false }
        isLastUpdateDelivered = isDelivered
        return true
    }
}

/// Says what became of an update.
package struct Acknowledgement: Rule {
    private let id: UInt64
    private let isDelivered: Bool

    package init(id: UInt64, isDelivered: Bool) {
        self.id = id
        self.isDelivered = isDelivered
    }

    package mutating func run(on state: inout InstallState) throws(Failure) -> Verdict {
        state.conversion.acknowledge(id: id, isDelivered: isDelivered) ? .changed() : .unchanged(.ok)
    }
}
