/// Rules, "Pending and acknowledge": a back end cannot push, so an update waits until the app calls.

extension InstallState {
    /// The update that waits: not acknowledged, and its window is open.
    package func pendingUpdate(at now: Int64) -> ValueUpdate? {
        guard let lastUpdate, !isLastUpdateDelivered, window(at: now) == lastUpdate.window else { return nil }
        return lastUpdate
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
        guard let lastUpdate = state.lastUpdate, lastUpdate.id == id, state.isLastUpdateDelivered != isDelivered else {
            return .unchanged(.ok)
        }
        state.isLastUpdateDelivered = isDelivered
        return .changed()
    }
}
