/// Rules, "Model decode": what a conversion model says of a value.
package struct DecodedValue: Sendable {
    package let model: ConversionModel
    /// The number of the value's window.
    package let window: Int
    /// The numbers of the rules that have the value.
    package let rules: [Int]
    /// What holds for all of them, and for registering where that gives the value too.
    package let envelope: ModelEnvelope
    /// Whether registering alone gives the value, too: it is fine 0 of window 0.
    package let isRegistration: Bool
}

extension ConversionModel {
    /// All rules of a window with a fine value, a coarse value, or both (-1 is none), and what holds for all of them.
    /// nil where nothing gives it: undecodable. INVALID_ARGUMENT for what is no window or value, or where no value is
    /// given.
    @_optimize(size)
    package func decode(window: Int32, fine: Int32, coarse: Int32) throws(Failure) -> DecodedValue? {
        try checkValue(window, fine, coarse)
        let part = windows[Int(window)]
        var found: [Int] = []
        for index in part.rules.indices {
            let rule = part.rules[index]
            if fine >= 0, level(rule.fine) != Int(fine) { continue }
            if coarse >= 0, level(rule.coarse) != Int(coarse) { continue }
            found.append(index)
        }
        // In SKAN 3 too, where registering gives no value: none counts as 0, also with Apple.
        let isRegistration = window == 0 && fine == 0 && coarse < 0
        guard !found.isEmpty || isRegistration else { return nil }
        var envelope = ModelEnvelope(part, found)
        if isRegistration { envelope.takeInRegistration() }
        return DecodedValue(
            model: self, window: Int(window), rules: found, envelope: envelope, isRegistration: isRegistration)
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
