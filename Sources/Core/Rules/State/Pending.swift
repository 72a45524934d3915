/// Rules, "Pending and acknowledge": a back end cannot push, so an update waits until the app calls.

extension Conversion {
    /// The pending update: it is not acknowledged, and its window is open.
    package func pendingUpdate(at now: Int64) -> ValueUpdate? {
        guard let lastUpdate, !isLastUpdateDelivered, window(at: now) == lastUpdate.window else { return nil }
        return lastUpdate
    }

    /// Notes whether the last update was delivered; returns false if that was known already.
    mutating func setDelivered(_ isDelivered: Bool) -> Bool {
        guard isLastUpdateDelivered != isDelivered else { return false }
        isLastUpdateDelivered = isDelivered
        return true
    }
}

/// Acknowledges an update.
package struct Acknowledgement: Rule {
    private let id: UInt64
    private let isDelivered: Bool
    private let now: Int64

    /// An engine without models for re-engagements does not need `now`.
    package init(id: UInt64, isDelivered: Bool, now: Int64 = 0) {
        self.id = id
        self.isDelivered = isDelivered
        self.now = now
    }

    package mutating func run(on state: inout InstallState) throws(Failure) -> Verdict {
        let isChanged = state.acknowledge(id, isDelivered ? .delivered : .failed, at: now)
        return isChanged ? .changed() : .unchanged(.ok)
    }
}
