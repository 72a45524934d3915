import SKANCore

extension Record {
    /// The record of a state.
    static func bytes(_ state: InstallState) -> [UInt8] {
        var state = state
        return written(atMost: sizeBound(state)) { write(&state, isOwn: false, to: $0) }
    }

    /// The state of a record.
    static func state(_ record: [UInt8]) -> Result<InstallState, Failure> {
        record.withUnsafeBytes { record in
            outcome { () throws(Failure) in
                var state = InstallState(.skan4)
                try read(record, isOwn: false, into: &state)
                return state
            }
        }
    }

    /// A record that was changed, with a checksum that fits again.
    static func sealed(_ record: [UInt8]) -> [UInt8] {
        var record = record
        record.withUnsafeMutableBytes { seal($0) }
        return record
    }
}

extension RevenueTable {
    static let all: [RevenueTable] =
        [.lifetime(.iap), .lifetime(.ad)] + Window.all.flatMap { [.window($0, .iap), .window($0, .ad)] }
}

extension EventMemory {
    /// The bytes as they are in a record.
    var stored: [UInt8] {
        guard !isEmpty else { return [] }
        return written(atMost: byteCount) { memory in
            write(to: memory)
            return byteCount
        }
    }

    func knows(_ id: [UInt8]) -> KnownEvent { id.withUnsafeBytes { (id: UnsafeRawBufferPointer) in find(id) } }

    /// Counts an amount, unless its id is that of another one.
    mutating func countAmount(_ id: [UInt8], _ kind: RevenueKind) {
        let known = knows(id)
        if !known.hasAmount { id.withUnsafeBytes { rememberAmount($0, known, kind) } }
    }

    /// Counts an event, unless its id is that of another one.
    mutating func countEvent(_ id: [UInt8]) {
        let known = knows(id)
        if !known.hasEvent { id.withUnsafeBytes { rememberEvent($0, known, nil) } }
    }
}

extension InstallModel {
    /// The bytes as they are in a record.
    var stored: [UInt8] { written(atMost: byteBound) { write(to: $0) } }
}

extension InstallState {
    /// All that a state holds, as a text, to compare states by.
    var contents: String {
        var lines = ["SKAN \(conversion.protocolVersion.rawValue), stored \(isStored)"]
        lines.append("first \(shown(conversion.first)), last \(shown(conversion.last))")
        lines.append("fine \(shown(conversion.fine)) after \(shown(conversion.previousFine))")
        for window in Window.all {
            let values = conversion.windows[window]
            lines.append(
                "window \(window.rawValue): coarse \(shown(values.coarse)) after \(shown(values.previousCoarse)), "
                    + "lock \(shown(values.lock))")
        }
        revenue.withTotals { totals in
            for index in totals.indices { lines.append("\(totals[index].key): \(totals[index].total.units)") }
        }
        lines.append("events \(events.stored.hex)")
        lines.append("older updates up to \(conversion.olderNumber)")
        lines.append("ticket \(conversion.newestTicket)")
        if let update = conversion.lastUpdate {
            lines.append(
                "update \(update.id) at \(update.timestamp): window \(update.window.rawValue), "
                    + "fine \(shown(update.fine)), coarse \(shown(update.coarse)), locks \(update.locksWindow)")
        }
        lines.append("delivered \(conversion.isLastUpdateDelivered)")
        if let model = conversion.model { lines.append("model \(model.stored.hex)") }
        lines.append("writes \(writes.count): \(writes.ids.indices.map { "\(writes.ids[$0])" })")
        return lines.joined(separator: "\n")
    }

    private func shown<Number: FixedWidthInteger>(_ number: Number?) -> String { number.map { "\($0)" } ?? "none" }
}

extension Chance {
    /// A number at random, or none.
    private mutating func fine() -> UInt8? { happens() ? UInt8(number(0...63)) : nil }
    private mutating func coarse() -> UInt8? { happens() ? UInt8(number(0...2)) : nil }
    private mutating func window() -> Window { Window(rawValue: UInt8(number(0...2))) ?? .first }
    private mutating func time() -> Int64 {
        Int64(number(0...4) == 0 ? number(-62_135_596_800...9_223_372_036_854) : number(0...2_000_000_000))
    }

    mutating func currency() -> Currency? {
        (0..<3).map { _ in UInt8(number(65...90)) }.withUnsafeBytes { Currency($0) }
    }

    /// An amount of any size within the limit.
    mutating func amount() -> Money {
        let limit = (0..<number(0...30)).reduce(Int128(1)) { limit, _ in limit * 10 }
        return Money(units: (Int128(next()) << 64 | Int128(next())) % limit)
    }

    /// A state with a conversion model.
    mutating func modelState(mostTotals: Int = 40, mostEvents: Int = 70) -> InstallState {
        var state = state(mostTotals: mostTotals, mostEvents: mostEvents)
        (state.conversion.first, state.conversion.last) = (time(), time())
        state.conversion.model = model()
        return state
    }

    private mutating func model() -> InstallModel {
        let version = SHA256(words: InlineArray { _ in UInt32(truncatingIfNeeded: next()) })
        var model = InstallModel(version, hasMeasures: happens())
        _ = model.enter(window(), lifetime: 0)
        for _ in 0..<number(0...300) { _ = model.add(number(0...number(0...64))) }
        if model.hasMeasures {
            for _ in 0..<number(0...20) {
                model.set(measure: number(0...number(0...31)), MeasureValue(number: amount().units))
            }
        }
        return model
    }

    /// A state of which each part is there or not.
    mutating func state(mostTotals: Int = 40, mostEvents: Int = 70) -> InstallState {
        var state = InstallState(happens() ? .skan4 : .skan3)
        state.isStored = true
        if happens() { (state.conversion.first, state.conversion.last) = (time(), time()) }
        (state.conversion.fine, state.conversion.previousFine) = (fine(), fine())
        for window in Window.all {
            var values = WindowState()
            (values.coarse, values.previousCoarse) = (coarse(), coarse())
            if happens() { values.lock = time() }
            state.conversion.windows[window] = values
        }
        for _ in 0..<number(0...mostTotals) {
            let window = window()
            let kind = happens() ? RevenueKind.iap : .ad
            guard let currency = currency() else { continue }
            _ = state.revenue.add(amount(), currency, to: happens() ? .lifetime(kind) : .window(window, kind))
        }
        for _ in 0..<(happens() ? number(0...mostEvents) : 0) {
            let id = bytes(number(1...128))
            let isAmount = happens()
            if isAmount { state.events.countAmount(id, happens() ? .iap : .ad) }
            if !isAmount || happens() { state.events.countEvent(id) }
        }
        if happens() { state.conversion.newestTicket = next() >> 1 }
        if happens() {
            state.conversion.lastUpdate = ValueUpdate(
                id: next(), window: window(), fine: fine(), coarse: coarse(), locksWindow: happens(), timestamp: time())
            state.conversion.isLastUpdateDelivered = happens()
        } else if happens() {
            state.conversion.olderNumber = next()
        }
        if state.conversion.isRegistered, number(0...3) == 0 { state.conversion.model = model() }
        state.writes = .new(startingAt: next())
        for _ in 0..<number(0...10) { state.writes.add(UInt32(truncatingIfNeeded: next())) }
        return state
    }
}
