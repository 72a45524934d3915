/// Rules, "Model document", "Coarse rules", "Digits", "Model refusals": reads the rules of windows.
extension ModelReader {
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
        try node.requireObject("rules coarse_rules")
        let rules = try node.required("rules")
        let coarseRules = node.member("coarse_rules")
        if let coarseRules, !isFirst || protocolVersion == .skan3 {
            throw coarseRules.refuse("only window 0 of SKAN 4 has them")
        }
        let list = try list(rules, !isFirst ? .coarse : coarseRules == nil ? .fine : .fineAlone)
        if isForReengagements { try list.list.checkValueAlways(rules, hasCoarse: coarseRules == nil) }
        guard let coarseRules else { return ModelWindow(list, coarse: nil) }
        let coarseList = try self.list(coarseRules, .coarseAlone)
        if isForReengagements { try coarseList.list.checkValueAlways(coarseRules, hasCoarse: true) }
        return ModelWindow(list, coarse: coarseList)
    }

    @_optimize(size)
    private func list(_ node: DocumentNode, _ values: RuleValues) throws(Failure) -> IndexedRules {
        let nodes = try node.elements()
        var list = RuleList()
        // The node of each rule. A rule made by a generator has the generator's node.
        var origins: [DocumentNode] = []
        for element in nodes {
            if element.isObject, element.member("digits") != nil {
                try addRules(of: element, values, to: &list)
            } else {
                try addRule(element, values, to: &list)
            }
            while origins.count < list.rules.count { origins.append(element) }
            guard list.rules.count <= Limits.modelRules else { throw tooMany(nodes.count, in: node) }
        }
        let index = RuleIndex(list)
        if let found = index.ruleThatNeverWins(in: list) {
            let node = origins[found.rule]
            let isItself = node.isElement(found.rule) && node.member("digits") == nil
            let rule: Message = isItself ? "" : "rule \(found.rule) "
            throw node.refuse("\(rule)can never win: wherever it holds, rule \(found.later) holds too")
        }
        return IndexedRules(list: list, index: index)
    }

    private func tooMany(_ count: Int, in node: DocumentNode) -> Failure {
        let found: Message = count > Limits.modelRules ? "\(count)" : "more with those of digits"
        return node.refuse("expected at most \(Limits.modelRules) rules, got \(found)")
    }

    @_optimize(size)
    private func addRule(
        _ node: DocumentNode, _ values: RuleValues, to list: inout RuleList
    ) throws(Failure) {
        try node.requireObject("fine coarse lock when")
        let fine = try node.integer("fine", max: 63)
        let coarse = try node.coarse("coarse")
        let locksWindow = try locksWindow(node)
        switch values {
        case .fine, .fineAlone:
            if fine < 0 { throw node.refuse(member: "fine", "missing, a rule of window 0 has one") }
        case .coarse:
            if fine >= 0 { throw node.refuse(member: "fine", "only a rule of window 0 has one") }
            if coarse < 0 { throw node.refuse(member: "coarse", "missing, a rule of window 1 or 2 has one") }
        case .coarseAlone:
            if fine >= 0 { throw node.refuse(member: "fine", "a coarse rule has none") }
            if coarse < 0 { throw node.refuse(member: "coarse", "missing, a coarse rule has one") }
        }
        if coarse >= 0 { try checkCoarse(node, values) }
        let rule = ModelRule(
            fine: fine < 0 ? nil : UInt8(truncatingIfNeeded: fine),
            coarse: coarse < 0 ? nil : UInt8(truncatingIfNeeded: coarse), locksWindow: locksWindow)
        list.append(rule, try conditions(node))
        if raiseOnly { try list.checkLastRule(node, fine: "fine") }
    }

    func locksWindow(_ node: DocumentNode) throws(Failure) -> Bool {
        let locksWindow = try node.boolean("lock", otherwise: false)
        if locksWindow, protocolVersion == .skan3 { throw node.refuse(member: "lock", "SKAN 3 has no window locks") }
        return locksWindow
    }

    /// Throws if a rule of this list cannot have a coarse value.
    func checkCoarse(_ node: DocumentNode, _ values: RuleValues) throws(Failure) {
        if protocolVersion == .skan3 { throw node.refuse(member: "coarse", "SKAN 3 has fine values only") }
        if values == .fineAlone { throw node.refuse(member: "coarse", "none beside coarse_rules, which decide it") }
    }
}

/// The values that the rules of a list set.
enum RuleValues {
    /// A fine value, with or without a coarse one.
    case fine
    /// A fine value alone, beside coarse rules.
    case fineAlone
    /// A coarse value, in windows 1 and 2.
    case coarse
    /// A coarse value, in coarse rules.
    case coarseAlone
}
