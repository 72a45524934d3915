internal import SKANCore

/// How likely a network's installs are own ones that told this or that in windows 1 and 2, beside others with the same
/// fine value: so many times as likely that the network's postbacks of these windows are expected. They are of the very
/// installs that are drawn.
struct LaterWeights {
    /// The weights by the code of a state.
    private var weights = InlineArray<16, Double>(repeating: 1)
    private(set) var largest = 1.0
    /// Whether later windows of any network tell something.
    private(set) var areKnown = false

    /// Nothing is known.
    static var unknown: LaterWeights { LaterWeights() }

    subscript(code: Int) -> Double { weights[code] }

    private init() {}

    /// `installs`: a network's, by group.
    init(_ checks: [LaterCheck], _ installs: [(group: Int, count: Double)], _ groups: InstallGroups) {
        areKnown = true
        guard !checks.isEmpty else { return }
        // Installs that are old enough for window 1 alone, and those for both.
        for windows in [[Window.second], Window.later] {
            let states = LaterState.all.filter { state in
                Window.later.allSatisfy { (state[$0] != .unknown) == windows.contains($0) }
            }
            var fit = LaterFit(states, installs.map { (count: $0.count, own: groups[$0.group].later) })
            fit.meet(checks, windows)
            for (state, weight) in zip(states, fit.weights) {
                weights[state.code] = min(max(weight, LaterWeights.least), 1 / LaterWeights.least)
            }
        }
        largest = LaterState.all.reduce(0) { max($0, weights[$1.code]) }
    }

    /// The smallest weight.
    private static var least: Double { 0.05 }
}

/// Weights of some states under which as many installs are expected to tell a value as did: in turns by window (Deming
/// and Stephan, "On a least squares adjustment of a sampled frequency table", 1940).
private struct LaterFit {
    let states: [LaterState]
    private(set) var weights: [Double]
    /// The numbers of installs of a group, and the shares of the states among the own ones.
    private var groups: [(count: Double, shares: [Double])] = []
    private let all: Double

    private static var rounds: Int { 30 }
    /// The greatest share of a state: some installs always have another one.
    private static var most: Double { 0.98 }

    init(_ states: [LaterState], _ installs: [(count: Double, own: LaterShares)]) {
        self.states = states
        weights = [Double](repeating: 1, count: states.count)
        for (count, own) in installs {
            let counts = states.map { own.counts[$0.code] }
            let sum = counts.reduce(0, +)
            if sum > 0 { groups.append((count: count, shares: counts.map { $0 / sum })) }
        }
        all = groups.reduce(0) { $0 + $1.count }
    }

    mutating func meet(_ checks: [LaterCheck], _ windows: [Window]) {
        let targets = windows.map { window in
            LaterKind.allCases.map { kind -> Double? in
                guard let check = checks.first(where: { $0.window == window && $0.kind == kind }) else { return nil }
                return expected(window, kind) * (check.told + 1) / (check.expected + 1)
            }
        }
        for _ in 0..<LaterFit.rounds {
            for (window, targets) in zip(windows, targets) {
                guard let any = targets[LaterKind.any.rawValue].map({ min($0, LaterFit.most * all) }) else { continue }
                meet(any, of: all, expected(window, .any), all) { LaterKind.any.includes($0[window]) }
                guard let above = targets[LaterKind.aboveLow.rawValue] else { continue }
                meet(min(above, LaterFit.most * any), of: any, expected(window, .aboveLow), expected(window, .any)) {
                    LaterKind.aboveLow.includes($0[window])
                }
            }
        }
    }

    /// Changes the odds of some states by as much as those that are wanted differ from those that are expected.
    private mutating func meet(
        _ wanted: Double, of all: Double, _ expected: Double, _ expectedAll: Double, _ isMeant: (LaterState) -> Bool
    ) {
        guard wanted > 0, wanted < all, expected > 0, expected < expectedAll else { return }
        let factor = wanted / (all - wanted) * (expectedAll - expected) / expected
        for (place, state) in states.enumerated() where isMeant(state) { weights[place] *= factor }
    }

    /// How many are expected to tell a value of a window.
    private func expected(_ window: Window, _ kind: LaterKind) -> Double {
        groups.reduce(0) { sum, group in
            var (meant, whole) = (0.0, 0.0)
            for (place, state) in states.enumerated() {
                let part = weights[place] * group.shares[place]
                whole += part
                if kind.includes(state[window]) { meant += part }
            }
            return sum + (whole > 0 ? group.count * meant / whole : 0)
        }
    }
}

/// What a window after the first told of some lines, beside what own installs let expect.
struct LaterCheck {
    let window: Window
    let kind: LaterKind
    /// How many tell of it.
    let installs: Double
    let told: Double
    let expected: Double
    /// So many standard deviations lie between them.
    let deviations: Double

    /// The fewest that something is said of.
    static var fewest: Double { 20 }
    var ratio: Double { told / expected }
}
