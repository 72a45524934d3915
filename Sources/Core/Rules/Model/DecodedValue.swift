/// Rules, "Model decode": the meaning of a value according to a conversion model.
package struct DecodedValue: Sendable {
    package let model: ConversionModel
    package let window: Int
    /// The numbers of the rules that set the value.
    package let rules: [Int]
    /// The smallest ranges that include the conditions of all these rules and, if registration also gives the value, an
    /// install that was just registered.
    package let envelope: ModelEnvelope
    /// The coarse rules that set the coarse value; nil if the window has no coarse rules.
    package let coarse: DecodedRules?
    /// Whether registration alone also gives the value, which is then fine 0 of window 0.
    package let isRegistration: Bool
}

/// The numbers of the rules that set a value, and the smallest ranges that include all of their conditions.
package struct DecodedRules: Sendable {
    package let rules: [Int]
    package let envelope: ModelEnvelope
}

extension ConversionModel {
    /// Decodes a value of a window: finds the rules that set this fine value, coarse value, or both; -1 means that a
    /// value is absent. If the window has coarse rules, the coarse value is looked up in those, and the fine one in the
    /// other rules. Returns nil if neither a rule nor registration gives the value. Throws INVALID_ARGUMENT for an
    /// invalid window or value, or if both values are absent.
    @_optimize(size)
    package func decode(window: Int32, fine: Int32, coarse: Int32) throws(Failure) -> DecodedValue? {
        try checkValue(window, fine, coarse)
        let part = windows[Int(window)]
        let list = part.list
        guard let coarseList = part.coarseList else {
            // SKAN 3 is no exception: registering sets no value there, but no value counts as 0, as it does for Apple.
            let isRegistration = window == 0 && fine == 0 && coarse < 0
            return decoded(window, list, list.rules(fine: fine, coarse: coarse), isRegistration, nil)
        }
        let found = fine < 0 ? [] : list.rules(fine: fine, coarse: -1)
        let coarseFound = coarse < 0 ? [] : coarseList.rules(fine: -1, coarse: coarse)
        guard coarse < 0 || !coarseFound.isEmpty, fine <= 0 || !found.isEmpty else { return nil }
        let coarseRules = DecodedRules(rules: coarseFound, envelope: ModelEnvelope(coarseList, coarseFound))
        // A coarse value can be set while the fine value is still the one of the registration.
        return decoded(window, list, found, fine == 0, coarseRules)
    }

    @_optimize(size)
    private func decoded(
        _ window: Int32, _ list: RuleList, _ found: [Int], _ isRegistration: Bool, _ coarse: DecodedRules?
    ) -> DecodedValue? {
        guard !found.isEmpty || isRegistration || coarse?.rules.isEmpty == false else { return nil }
        var envelope = ModelEnvelope(list, found)
        if isRegistration { envelope.takeInRegistration() }
        return DecodedValue(
            model: self, window: Int(window), rules: found, envelope: envelope, coarse: coarse,
            isRegistration: isRegistration)
    }

    @_optimize(size)
    private func checkValue(_ window: Int32, _ fine: Int32, _ coarse: Int32) throws(Failure) {
        guard window >= 0, window < windows.count else {
            throw Failure(.invalidArgument, "window: expected 0 to \(windows.count - 1), got \(window)")
        }
        guard fine >= -1, fine <= 63 else {
            throw Failure(.invalidArgument, "fine: expected 0 to 63, or -1 for none, got \(fine)")
        }
        guard coarse >= -1, coarse <= 2 else {
            throw Failure(.invalidArgument, "coarse: expected 0 to 2, or -1 for none, got \(coarse)")
        }
        guard fine >= 0 || coarse >= 0 else {
            throw Failure(.invalidArgument, "fine: expected a fine or a coarse value, got none")
        }
    }
}

extension RuleList {
    /// -1 stands for an absent value.
    @_optimize(size)
    fileprivate func rules(fine: Int32, coarse: Int32) -> [Int] {
        var found: [Int] = []
        for index in rules.indices {
            if fine >= 0, level(rules[index].fine) != Int(fine) { continue }
            if coarse >= 0, level(rules[index].coarse) != Int(coarse) { continue }
            found.append(index)
        }
        return found
    }
}
