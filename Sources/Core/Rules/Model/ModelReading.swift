/// Rules, "Model document", "Model refusals": reads a conversion model. INVALID_DOCUMENT with the place and the reason
/// where it breaks a rule.
extension ConversionModel {
    @_optimize(size)
    package static func read(_ root: DocumentNode, version: SHA256) throws(Failure) -> ConversionModel {
        try root.requireObject("schema id protocol conversion currency rates raise_only windows")
        _ = try root.required("schema")
        _ = try root.integer("schema", max: 1, min: 1)
        let isSKAN3 = try root.integer("protocol", max: 4, min: 3) == 3
        let isForReengagements = try root.word("conversion", of: "install re-engagement") == 1
        if isForReengagements, isSKAN3 { throw root.refuse(member: "conversion", "SKAN 3 has no re-engagements") }
        let reader = ModelReader(
            isSKAN3 ? .skan3 : .skan4, isForReengagements, raiseOnly: try root.boolean("raise_only", otherwise: true))
        let id = try root.required("id")
        guard let name = id.content, name.count >= 1, name.count <= Limits.modelIDBytes,
            name.allSatisfy({ $0 >= 0x20 && $0 <= 0x7E })
        else { throw id.expected("1 to \(Limits.modelIDBytes) printable ASCII characters") }
        let currency = try root.currency()
        let rates = try root.rates(currency)
        let windows = try reader.windows(root)
        return ConversionModel(
            version: version, id: name, protocolVersion: reader.protocolVersion,
            isForReengagements: isForReengagements, currency: currency, rates: rates, raiseOnly: reader.raiseOnly,
            events: reader.events, windows: windows)
    }
}

extension DocumentNode {
    fileprivate func currency() throws(Failure) -> Currency {
        guard let member = member("currency") else { return Currency(known: 0x55_5344) }  // USD
        guard let text = member.content, let currency = Currency(capitals: text) else {
            throw member.expected("three capital letters")
        }
        return currency
    }

    @_optimize(size)
    fileprivate func rates(_ own: Currency) throws(Failure) -> [ModelRate] {
        guard let object = member("rates") else { return [] }
        try object.requireObject()
        var rates: [ModelRate] = []
        for member in object.children {
            guard let currency = Currency(capitals: member.key) else {
                throw member.refuse("expected a currency of three capital letters as key")
            }
            guard let units = member.rateUnits() else {
                throw member.expected("decimal text above 0 and below 1e12 with at most 12 places")
            }
            guard currency != own else {
                guard units == Money.scale else { throw member.expected("1, which the model's own currency counts") }
                continue
            }
            rates.append(ModelRate(currency: currency, units: units))
            var place = rates.count &- 1
            while place > 0, currency < rates[place &- 1].currency {
                rates.swapAt(place, place &- 1)
                place &-= 1
            }
        }
        return rates
    }

    /// A rate in 10⁻¹²: plain decimal text, 0 < rate < 10¹².
    private func rateUnits() -> Int128? {
        guard let text = content, text.allSatisfy({ isDigit($0) || $0 == UInt8(ascii: ".") }),
            let units = exactUnits(), units > 0, units < Money.scale * Money.scale
        else { return nil }
        return units
    }
}

extension Currency {
    /// nil unless the text is three capital letters.
    fileprivate init?(capitals text: [UInt8]) {
        guard text.count == 3 else { return nil }
        self.init(code: UInt32(text[0]) << 16 | UInt32(text[1]) << 8 | UInt32(text[2]))
    }
}

// MARK: Windows and rules

private final class ModelReader {
    let protocolVersion: ProtocolVersion
    let isForReengagements: Bool
    let raiseOnly: Bool
    var events: [EventName] = []

    init(_ protocolVersion: ProtocolVersion, _ isForReengagements: Bool, raiseOnly: Bool) {
        self.protocolVersion = protocolVersion
        self.isForReengagements = isForReengagements
        self.raiseOnly = raiseOnly
    }

    @_optimize(size)
    func windows(_ root: DocumentNode) throws(Failure) -> [ModelWindow] {
        let node = try root.required("windows")
        let nodes = try node.elements()
        let count = protocolVersion.windowCount
        guard nodes.count == count else {
            throw node.refuse("expected \(count) in SKAN \(protocolVersion.rawValue), got \(nodes.count)")
        }
        var windows: [ModelWindow] = []
        for node in nodes { windows.append(try window(node, isFirst: windows.isEmpty)) }
        return windows
    }

    @_optimize(size)
    private func window(_ node: DocumentNode, isFirst: Bool) throws(Failure) -> ModelWindow {
        try node.requireObject("rules")
        let rules = try node.required("rules")
        let nodes = try rules.elements()
        guard nodes.count <= Limits.modelRules else {
            throw rules.refuse("expected at most \(Limits.modelRules) rules, got \(nodes.count)")
        }
        var window = ModelWindow()
        for node in nodes {
            try addRule(node, isFirst, to: &window)
            try window.checkLastRule(node, raiseOnly: raiseOnly)
        }
        if isForReengagements { try window.checkValueAlways(rules, nodes) }
        try window.checkEveryRuleCanWin(nodes)
        return window
    }

    @_optimize(size)
    private func addRule(_ node: DocumentNode, _ isFirst: Bool, to window: inout ModelWindow) throws(Failure) {
        try node.requireObject("fine coarse lock when")
        let fine = try node.integer("fine", max: 63)
        let coarse = try node.coarse("coarse")
        let locksWindow = try node.boolean("lock", otherwise: false)
        if isFirst, fine < 0 { throw node.refuse(member: "fine", "missing, a rule of window 0 has one") }
        if !isFirst, fine >= 0 { throw node.refuse(member: "fine", "only a rule of window 0 has one") }
        if !isFirst, coarse < 0 { throw node.refuse(member: "coarse", "missing, a rule of window 1 or 2 has one") }
        if protocolVersion == .skan3 {
            if coarse >= 0 { throw node.refuse(member: "coarse", "SKAN 3 has fine values only") }
            if locksWindow { throw node.refuse(member: "lock", "SKAN 3 has no window locks") }
        }
        var rule = ModelRule(
            fine: fine < 0 ? nil : UInt8(truncatingIfNeeded: fine),
            coarse: coarse < 0 ? nil : UInt8(truncatingIfNeeded: coarse),
            locksWindow: locksWindow, conditions: 0..<0, revenue: nil)
        let start = window.conditions.count
        if let when = node.member("when") {
            try addConditions(when, after: start, to: &window.conditions)
            if let revenue = when.member("revenue") {
                let condition = try self.revenue(revenue)
                window.revenueAxes |= condition.axis.bit
                rule.revenue = condition
            }
        }
        rule.conditions = start..<window.conditions.count
        window.rules.append(rule)
    }

    // MARK: Conditions

    @_optimize(size)
    private func addConditions(
        _ when: DocumentNode, after start: Int, to conditions: inout [CountCondition]
    ) throws(Failure) {
        try when.requireObject("events revenue sessions day")
        if let sessions = when.member("sessions") {
            try sessions.requireObject("min max")
            try add(sessions, CountCondition.sessions, "min", "max", after: start, to: &conditions)
        }
        if let events = when.member("events") {
            for event in try events.elements() {
                try event.requireObject("name min_count max_count")
                let axis = try axis(try event.required("name"))
                try add(event, axis, "min_count", "max_count", otherwise: 1, after: start, to: &conditions)
            }
        }
        if let day = when.member("day") {
            try day.requireObject("min max")
            try add(day, CountCondition.day, "min", "max", after: start, to: &conditions)
        }
    }

    /// Puts a condition among those of its rule, by axis; one more on the same axis has to hold too.
    @_optimize(size)
    private func add(
        _ node: DocumentNode, _ axis: Int, _ minKey: StaticString, _ maxKey: StaticString, otherwise: Int64 = 0,
        after start: Int, to conditions: inout [CountCondition]
    ) throws(Failure) {
        let lowest = try node.integer(minKey, max: Int64(UInt32.max))
        let highest = try node.integer(maxKey, max: Int64(UInt32.max))
        let (min, max) = (lowest < 0 ? otherwise : lowest, highest < 0 ? CountCondition.open : highest)
        guard min < max else { throw node.refuse("expected \(minKey) below \(maxKey), got \(min) and \(max)") }
        var index = conditions.count
        while index > start, conditions[index &- 1].axis >= axis { index &-= 1 }
        if index < conditions.count, conditions[index].axis == axis {
            conditions[index].min = Swift.max(conditions[index].min, min)
            conditions[index].max = Swift.min(conditions[index].max, max)
            guard conditions[index].min < conditions[index].max else {
                throw node.refuse("cannot hold together with what this rule asked of the same event before")
            }
            return
        }
        conditions.append(CountCondition(axis: axis, min: min, max: max))
        var place = conditions.count &- 1
        while place > index {
            conditions.swapAt(place, place &- 1)
            place &-= 1
        }
    }

    /// The place of an event's count; a new event gets the next one.
    private func axis(_ name: DocumentNode) throws(Failure) -> Int {
        guard let text = name.content, let event = text.withUnsafeBytes({ EventName($0) }) else {
            throw name.expected("an event name of 1 to \(Limits.eventNameBytes) printable ASCII characters")
        }
        if event.isSession { return CountCondition.sessions }
        for index in events.indices where events[index] == event { return index &+ 1 }
        guard events.count < Limits.modelEvents else {
            throw name.refuse("expected at most \(Limits.modelEvents) event names, this is one more")
        }
        events.append(event)
        return events.count
    }

    @_optimize(size)
    private func revenue(_ node: DocumentNode) throws(Failure) -> RevenueCondition {
        try node.requireObject("kind scope min max")
        let kind = try node.word("kind", of: "iap ad all")
        let scope = try node.word(
            "scope", of: isForReengagements ? "window lifetime conversion" : "window lifetime")
        if protocolVersion == .skan3, kind == 1 { throw node.refuse(member: "kind", "SKAN 3 knows no ad revenue") }
        let lowest = try node.money("min", otherwise: 0)
        let highest = try node.money("max", otherwise: RevenueCondition.open)
        guard lowest < highest else { throw node.refuse("expected min below max") }
        // SKAN 3 has one table of revenue, as it has one window.
        let axis = RevenueAxis(
            RevenueKind(rawValue: UInt8(truncatingIfNeeded: kind)),
            protocolVersion == .skan3 ? .lifetime : RevenueScope(rawValue: UInt8(truncatingIfNeeded: scope)) ?? .window)
        return RevenueCondition(axis: axis, min: lowest, max: highest)
    }
}
