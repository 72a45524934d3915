/// A call for the app to make to Apple.
package struct AppCall: Sendable {
    /// The number of the update that the call delivers.
    package var id: UInt64
    /// The conversion that the call is for: 0 for the install, otherwise the re-engagement's number.
    package var conversion: UInt32
    package var framework: Framework
    package var type: ConversionType
    package var window: Window
    package var fine: UInt8
    package var coarse: UInt8?
    package var locksWindow: Bool
    /// The time at which the value was decided, Unix seconds.
    package var timestamp: Int64
    /// The time from which the app must no longer make the calls of the list, Unix seconds.
    package var validUntil: Int64
    /// The conversion tag; empty if there is none.
    package var tag: [UInt8]

    package enum Framework: UInt8, Sendable {
        case skAdNetwork = 0
        case adAttributionKit = 1

        package var name: StaticString { self == .skAdNetwork ? "SKAdNetwork" : "AdAttributionKit" }
    }

    package enum ConversionType: UInt8, Sendable {
        case none = 0
        case reengagement = 3
        case install = 4

        package var name: StaticString? {
            switch self {
            case .none: nil
            case .reengagement: "re-engagement"
            case .install: "install"
            }
        }
    }
}

/// Rules, "Calls": lists the pending calls, in the order in which the app must make them.
package final class CallListing: ReengagementWork {
    package var moment = ReengagementMoment()
    private let system: SystemVersion?
    private var isSKAN3 = false
    package private(set) var calls: [AppCall] = []

    /// `system`: the version of the device's iOS; nil if it is not known.
    package init(system: UnsafeRawBufferPointer?) { self.system = system.flatMap { SystemVersion($0) } }

    @_optimize(size)
    package func run(on state: inout InstallState) throws(Failure) -> Verdict {
        calls = []
        // The install has at most two calls, and a re-engagement one.
        calls.reserveCapacity(2 &+ state.reengagements.count)
        let install = state.conversion.pendingUpdate(at: now)
        let isChanged = makeReady(&state, installWaits: install != nil)
        if let install {
            isSKAN3 = state.conversion.protocolVersion == .skan3
            addCalls(of: install, fine: install.fine ?? state.conversion.fine, beside: state.reengagements)
        }
        addCalls(of: state.reengagements)
        let end = isSKAN3 ? state.conversion.closesAt : nil
        setValidity(end, first: state.conversion.first, state.reengagements)
        let status: Status = calls.isEmpty ? .nothingPending : .ok
        return isChanged ? .changed(status) : .unchanged(status)
    }

    /// Gives re-engagements the first updates that they lack. If a waiting call without a tag can overwrite updates,
    /// makes those pending again. Returns whether anything changed. Does not depend on the system's version.
    @_optimize(size)
    private func makeReady(_ state: inout InstallState, installWaits: Bool) -> Bool {
        var (isChanged, overwrites) = (false, installWaits)
        for kept in state.reengagements where kept.isActive(at: now) {
            if !kept.isReady(at: now), let model = settings.model(of: kept) {
                state.giveFirstUpdate(kept, model, at: now, numbersFrom: numbersFrom)
                isChanged = true
            }
            if !kept.hasTag, isWaiting(kept) { overwrites = true }
        }
        return (overwrites && state.reengagements.renew(except: nil, at: now)) || isChanged
    }

    private func isWaiting(_ kept: Reengagement) -> Bool {
        kept.isReady(at: now) && !kept.conversion.isLastUpdateDelivered
    }

    @_optimize(size)
    private func addCalls(of update: ValueUpdate, fine: UInt8?, beside reengagements: [Reengagement]) {
        guard !system.isBelow(.fineValues) else { return }
        var call = AppCall(update, fine: fine, number: 0, .skAdNetwork)
        guard !isSKAN3, !system.isBelow(.coarseValues) else {
            call.coarse = nil
            call.locksWindow = false
            if update.window == .first { calls.append(call) }
            return
        }
        var own = call
        own.framework = .adAttributionKit
        if !system.isBelow(.reengagements) {
            own.type = .install
            // SKAdNetwork's call also affects re-engagements, so it must not lock their window.
            for kept in reengagements where kept.isOpenToApple(at: now) { call.locksWindow = false }
        }
        if own.locksWindow, !system.isBelow(.adAttributionKit) { calls.append(own) }
        calls.append(call)
        if !own.locksWindow, !system.isBelow(.adAttributionKit) { calls.append(own) }
    }

    /// Adds the calls of re-engagements: first the call of the re-engagement without a tag, then the others by their
    /// start.
    @_optimize(size)
    private func addCalls(of reengagements: [Reengagement]) {
        guard !system.isBelow(.reengagements) else { return }
        guard !reengagements.isEmpty else { return }
        var waiting: [Reengagement] = []
        waiting.reserveCapacity(reengagements.count)
        for kept in reengagements where isWaiting(kept) && !(kept.hasTag && system.isBelow(.conversionTags)) {
            var place = waiting.count
            waiting.append(kept)
            while place > 0, comes(kept, before: waiting[place &- 1]) {
                waiting.swapAt(place, place &- 1)
                place &-= 1
            }
        }
        for kept in waiting {
            guard let update = kept.conversion.lastUpdate else { continue }
            var call = AppCall(update, fine: kept.conversion.fine, number: kept.number, .adAttributionKit)
            call.coarse = kept.conversion.windows[update.window].coarse
            if kept.hasTag {
                call.tag = kept.tag
            } else {
                call.type = .reengagement
                call.locksWindow = false
            }
            calls.append(call)
        }
    }

    private func comes(_ kept: Reengagement, before other: Reengagement) -> Bool {
        kept.hasTag == other.hasTag ? other.isNewer(than: kept) : !kept.hasTag
    }

    /// Sets the time until which all calls of the list are valid: the earliest end of their windows. `skan3End` is the
    /// end of SKAN 3's only window; nil in SKAN 4.
    @_optimize(size)
    private func setValidity(_ skan3End: Int64?, first: Int64?, _ reengagements: [Reengagement]) {
        var end = skan3End ?? Int64.max
        for call in calls where skan3End == nil {
            var first = first ?? 0
            for kept in reengagements where kept.number == call.conversion { first = kept.start }
            end = min(end, Window.skan4End(call.window, first: first))
        }
        for index in calls.indices { calls[index].validUntil = end }
    }
}

extension AppCall {
    @_optimize(size)
    fileprivate init(_ update: ValueUpdate, fine: UInt8?, number: UInt32, _ framework: Framework) {
        id = update.id
        conversion = number
        self.framework = framework
        type = .none
        window = update.window
        self.fine = fine ?? 0
        coarse = update.coarse
        locksWindow = update.locksWindow
        timestamp = update.timestamp
        validUntil = 0
        tag = []
    }
}

/// Rules, "Acknowledging calls": records the results of the calls in a list, in the order of the list.
package final class CallAcknowledgement: ReengagementWork {
    private let count: Int
    private let result: (Int) -> (id: UInt64, result: CallResult)
    package var moment = ReengagementMoment()

    /// `result` returns one of `count` results, by its index.
    package init(_ count: Int, _ result: @escaping (Int) -> (id: UInt64, result: CallResult)) {
        self.count = count
        self.result = result
    }

    @_optimize(size)
    package func run(on state: inout InstallState) throws(Failure) -> Verdict {
        var isChanged = false
        for index in 0..<count {
            let (id, result) = result(index)
            if state.acknowledge(id, result, at: now) { isChanged = true }
        }
        return isChanged ? .changed() : .unchanged(.ok)
    }
}
