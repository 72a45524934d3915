/// Rules, "Pending and acknowledge": a back end cannot push, so an update waits until the app calls.

extension Conversion {
    /// The pending update: the last one, if it is not acknowledged as delivered and its window is open.
    package func pendingUpdate(at now: Int64) -> ValueUpdate? {
        guard let lastUpdate, !isLastUpdateDelivered, window(at: now) == lastUpdate.window else { return nil }
        return lastUpdate
    }

    /// Returns whether this changed anything.
    mutating func setDelivered(_ isDelivered: Bool) -> Bool {
        guard isLastUpdateDelivered != isDelivered else { return false }
        isLastUpdateDelivered = isDelivered
        return true
    }
}
