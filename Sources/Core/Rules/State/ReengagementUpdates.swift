/// Rules, "Acknowledging calls": which updates of re-engagements are delivered.

/// The result of calls to Apple, as the app reports it for an update.
package enum CallResult: Int32, Sendable {
    case failed = 0
    case delivered = 1
    case invalidTag = 2
    case tagNotSupported = 3
}

extension [Reengagement] {
    /// The newest active re-engagement: the one with the latest start, then the greatest number.
    @_optimize(size)
    func newest(at now: Int64) -> Reengagement? {
        var newest: Reengagement?
        for each in self where each.isActive(at: now) {
            if let found = newest, !each.isNewer(than: found) { continue }
            newest = each
        }
        return newest
    }

    /// Makes the last updates of all active re-engagements except `other` pending again. Returns whether anything
    /// changed.
    @_optimize(size)
    func renew(except other: Reengagement?, at now: Int64) -> Bool {
        var isChanged = false
        for each in self where each !== other && each.isActive(at: now) {
            if each.conversion.setDelivered(false) { isChanged = true }
        }
        return isChanged
    }
}

extension InstallState {
    /// Returns whether anything changed.
    @_optimize(size)
    mutating func acknowledge(_ id: UInt64, _ result: CallResult, at now: Int64) -> Bool {
        let isDelivered = result == .delivered
        if conversion.lastUpdate?.id == id {
            let isRenewed = isDelivered && reengagements.renew(except: nil, at: now)
            return conversion.setDelivered(isDelivered) || isRenewed
        }
        for kept in reengagements where kept.conversion.lastUpdate?.id == id {
            let isRefused = kept.refuseTag(result, isNewest: reengagements.newest(at: now) === kept)
            let isChanged = kept.conversion.setDelivered(isDelivered) || isRefused
            guard isDelivered, !kept.hasTag, kept.isActive(at: now) else { return isChanged }
            return reengagements.renew(except: kept, at: now) || isChanged
        }
        return false
    }
}

extension Reengagement {
    /// If the result refuses the tag, removes the tag or ends the re-engagement. Returns whether it did so.
    @_optimize(size)
    fileprivate func refuseTag(_ result: CallResult, isNewest: Bool) -> Bool {
        guard result == .invalidTag || result == .tagNotSupported, hasTag, ended == nil else { return false }
        if result == .tagNotSupported, isNewest {
            tag = []
        } else {
            ended = result == .invalidTag ? .invalidTag : .tagNotSupported
        }
        return true
    }
}
