/// Rules, "Digits", "Model refusals": reads a generator, which stands for one rule for each combination of its digits'
/// states.
extension ModelReader {
    @_optimize(size)
    func addRules(of node: DocumentNode, _ values: RuleValues, to list: inout RuleList) throws(Failure) {
        try node.requireObject("digits first coarse lock when")
        let digits = try node.required("digits")
        guard values == .fine || values == .fineAlone else {
            throw digits.refuse("only rules of window 0 have digits")
        }
        let nodes = try digits.elements()
        guard nodes.count >= 1, nodes.count <= Limits.modelDigits else {
            throw digits.refuse("expected 1 to \(Limits.modelDigits) digits, got \(nodes.count)")
        }
        let first = max(0, try node.integer("first", max: 63))
        let coarse = try coarseSteps(node, values)
        let locksWindow = try locksWindow(node)
        let conditions = try conditions(node)
        var read: [ModelDigit] = []
        var states: Int64 = 1
        let known = events.count
        for element in nodes {
            let digit = try digit(element)
            guard !read.contains(where: { $0.axis == digit.axis }),
                !conditions.contains(where: { $0.axis == digit.axis })
            else {
                throw element.refuse("repeats what an earlier digit or condition is about")
            }
            states &*= Int64(digit.count)
            guard first &+ states &- 1 <= 63 else {
                throw node.refuse(member: "first", "expected values up to 63, but the digits have more combinations")
            }
            read.append(digit)
        }
        reverseEvents(from: known, in: &read)
        for state in 0..<states {
            let fine = UInt8(truncatingIfNeeded: first &+ state)
            let rule = ModelRule(
                fine: fine, coarse: coarse.map { $0 <= fine ? $1 <= fine ? 2 : 1 : 0 }, locksWindow: locksWindow)
            list.append(rule, asked(read, state, beside: conditions))
            if raiseOnly { try list.checkLastRule(node, fine: "first") }
        }
    }

    /// Reverses the events that these digits are the first to name, and their counts. Counts are in the order in which
    /// rules first name their events, and the first rules of a generator have conditions only on its last digit.
    /// `known`: the number of events named before.
    @_optimize(size)
    private func reverseEvents(from known: Int, in digits: inout [ModelDigit]) {
        for index in digits.indices {
            guard let place = digits[index].axis.place, place > known else { continue }
            digits[index].axis = .count(known &+ 1 &+ events.count &- place)
        }
        var (first, last) = (known, events.count &- 1)
        while first < last {
            events.swapAt(first, last)
            (first, last) = (first &+ 1, last &- 1)
        }
    }

    /// Reads the two fine values from which on the coarse value is medium and high; nil if the generator sets no coarse
    /// values.
    @_optimize(size)
    private func coarseSteps(_ node: DocumentNode, _ values: RuleValues) throws(Failure) -> (UInt8, UInt8)? {
        guard let coarse = node.member("coarse") else { return nil }
        try checkCoarse(node, values)
        let steps = try coarse.elements()
        guard steps.count == 2, let medium = steps[0].wholeNumber, let high = steps[1].wholeNumber, medium >= 0,
            medium <= high, high <= 64
        else { throw coarse.refuse("expected two ascending whole numbers from 0 to 64") }
        return (UInt8(truncatingIfNeeded: medium), UInt8(truncatingIfNeeded: high))
    }

    @_optimize(size)
    private func digit(_ node: DocumentNode) throws(Failure) -> ModelDigit {
        try node.requireObject(ConditionKey.digitNames)
        var found = 0
        var digit = ModelDigit(axis: .sessions)
        for key in ConditionKey.all {
            guard let subject = node.member(key.row.digit) else { continue }
            shown.insert(key)
            try readSubject(subject, key, of: &digit)
            found &+= 1
        }
        guard found == 1 else {
            throw node.refuse("expected one of \(ConditionKey.digitChoice), got \(found)")
        }
        try readBounds(node, of: &digit)
        return digit
    }

    /// Reads what a digit is about: an event, a kind of revenue, a measure, sessions or time.
    @_optimize(size)
    private func readSubject(_ node: DocumentNode, _ key: ConditionKey, of digit: inout ModelDigit) throws(Failure) {
        switch key {
        case .events:
            digit.axis = .count(try place(of: node))
        case .revenue:
            try node.requireObject("kind scope")
            digit.axis = .revenue(try revenueAxis(node))
            digit.isAmount = true
        case .measures:
            let number = try measure(node)
            digit.axis = .measure(number)
            digit.isAmount = measures.list[number].counting == .sum
        default:
            guard node.isTrue, case .range(let axis, let unit) = key.row.form else { throw node.expected("true") }
            digit.axis = axis
            digit.scale = unit
        }
    }

    @_optimize(size)
    private func readBounds(_ node: DocumentNode, of digit: inout ModelDigit) throws(Failure) {
        let at = try node.required("at")
        let nodes = try at.elements()
        guard nodes.count >= 1 else { throw at.refuse("expected bounds, got none") }
        for node in nodes {
            let bound: Int128
            if digit.isAmount {
                bound = try node.amount()
            } else {
                guard let number = node.wholeNumber, number >= 1, number <= countLimit else {
                    throw node.expected("a whole number from 1 to \(countLimit)")
                }
                bound = Int128(number) &* digit.scale
            }
            if let before = digit.bounds.last, bound <= before { throw node.refuse("is not above the one before") }
            digit.bounds.append(bound)
        }
    }
}

/// A digit of a generator: with n bounds it has n + 1 states, of which state 0 sets no condition.
struct ModelDigit {
    var axis: ModelAxis
    var isAmount = false
    /// The factor by which bounds in the document are multiplied to convert them to the axis's unit.
    var scale: Int128 = 1
    /// The bounds in ascending order, at least one.
    var bounds: [Int128] = []

    var count: Int { bounds.count &+ 1 }
}

/// The conditions of one rule of a generator: the common ones, and those of the digits' states. `state`: the number of
/// the rule, in which the last digit changes fastest.
@_optimize(size)
private func asked(_ digits: [ModelDigit], _ state: Int64, beside common: [ModelCondition]) -> [ModelCondition] {
    var conditions = common
    var rest = Int(state)
    var number = digits.count
    while number > 0 {
        number &-= 1
        let digit = digits[number]
        let place = rest % digit.count
        rest /= digit.count
        if place == 0 { continue }
        conditions.insert(
            ModelCondition(
                axis: digit.axis, isAmount: digit.isAmount, min: digit.bounds[place &- 1],
                max: place < digit.bounds.count ? digit.bounds[place] : ModelCondition.open))
    }
    return conditions
}
