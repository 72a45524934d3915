/// Rules, "Register": the time of an install's first launch, and the options with which it is registered.
package struct FirstLaunch: Sendable {
    /// The time of the first launch after the app was installed, in Unix seconds; 0 for now.
    private let time: Int64
    /// Whether an install that is registered with an earlier first launch is registered anew.
    package let beginsAgain: Bool
    /// Whether an install that is registered anew keeps its lifetime totals.
    let keepsRevenue: Bool

    @inline(__always)
    package static var now: FirstLaunch { FirstLaunch(checked: 0, beginsAgain: false, keepsRevenue: false) }

    @inline(__always)
    private init(checked time: Int64, beginsAgain: Bool, keepsRevenue: Bool) {
        self.time = time
        self.beginsAgain = beginsAgain
        self.keepsRevenue = keepsRevenue
    }

    /// Throws INVALID_ARGUMENT for a time before 1970. 0 stands for now.
    package init(time: Int64, beginsAgain: Bool, keepsRevenue: Bool) throws(Failure) {
        guard time >= 0 else {
            throw Failure(.invalidArgument, "first_launch: expected Unix seconds, or 0 for now, got \(time)")
        }
        self.init(checked: time, beginsAgain: beginsAgain, keepsRevenue: keepsRevenue)
    }

    @inline(__always)
    var isNow: Bool { time == 0 }

    /// Throws INVALID_ARGUMENT for a first launch that is more than a minute ahead of the clock.
    @inline(never)
    func time(at now: Int64) throws(Failure) -> Int64 {
        guard time != 0 else { return now }
        if time <= now || time &- now <= Limits.secondsAhead { return time }
        throw Failure(
            .invalidArgument,
            "first_launch: expected at most a minute after the clock's time, which is \(now), got \(time)")
    }
}

/// Rules, "Register", "SKAN 3", "Model versions": registers an install at its first launch, or registers it anew.
package struct Registration: Rule {
    private let now: Int64
    private let launch: FirstLaunch
    /// The start of the install's update numbers, if it has no update yet: its first update gets the next number.
    private let start: UInt64
    /// A ticket that is not less than any ticket given before.
    private let ticket: UInt64
    private let model: ConversionModel?
    /// The install's first update; nil in SKAN 3, which has none, or if window 0 is over.
    package private(set) var update: ValueUpdate?

    package init(
        now: Int64, _ launch: FirstLaunch = .now, model: ConversionModel? = nil, numbersFrom start: UInt64 = 0,
        after ticket: UInt64 = 0
    ) {
        self.now = now
        self.launch = launch
        self.start = start
        self.ticket = ticket
        self.model = model
    }

    package mutating func run(on state: inout InstallState) throws(Failure) -> Verdict {
        update = nil
        let first = launch.isNow ? now : try launch.time(at: now)
        if let known = state.conversion.first {
            guard launch.beginsAgain, first > known else { return .unchanged(.alreadyRegistered) }
            state.endLife(keepsRevenue: launch.keepsRevenue, after: ticket)
        }
        state.conversion.first = first
        state.conversion.last = first
        if let model { state.conversion.model = InstallModel(model) }
        if state.conversion.protocolVersion == .skan4 {
            state.conversion.fine = 0
            if launch.isNow || state.conversion.window(at: now) == .first {
                let value = TakenValue(fine: 0, coarse: nil, locksWindow: false)
                state.conversion.giveUpdate(value, in: .first, after: state.numberBefore(start), now: now)
                update = state.conversion.lastUpdate
            }
        }
        return .changed()
    }
}

extension InstallState {
    /// Clears the conversion and the revenue, except the lifetime totals if `keepsRevenue` is true. Keeps what prevents
    /// late calls for the earlier registration from counting for the new one: the event ids, the number of the last
    /// update, the re-engagements, which are ended, and the greater of the newest ticket and `ticket`.
    @inline(never)
    fileprivate mutating func endLife(keepsRevenue: Bool, after ticket: UInt64) {
        let older = conversion
        conversion = Conversion(older.protocolVersion)
        conversion.olderNumber = older.lastUpdate?.id ?? older.olderNumber
        conversion.newestTicket = max(older.newestTicket, ticket)
        revenue = keepsRevenue ? revenue.lifetime : RevenueTables()
        for each in reengagements where each.ended == nil { each.ended = .host }
    }
}

extension RevenueTables {
    fileprivate var lifetime: RevenueTables {
        var lifetime = RevenueTables()
        withTotals { totals in
            for index in totals.indices where totals[index].isLifetime { lifetime.append(totals[index]) }
        }
        return lifetime
    }
}
