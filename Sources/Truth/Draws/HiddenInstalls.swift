/// The reported installs of one campaign, one model and one coarse value (or none) that have no usable fine value. A
/// value is drawn for each.
struct HiddenInstalls {
    let campaign: Int
    let model: Int
    let coarse: Int?
    private(set) var members: [Member] = []
    /// The values drawn for the members, in no particular order.
    private(set) var values: [Int] = []
    /// The share of each value in the mix from which the values of the members are drawn.
    fileprivate var shares: [Double] = []
    /// The sum of the shares of the values that were not drawn yet.
    fileprivate var rest = 1.0

    struct Member {
        let line: Int
        let week: Int
        var cell: Int?
    }

    init(campaign: Int, model: Int, coarse: Int?) {
        (self.campaign, self.model, self.coarse) = (campaign, model, coarse)
    }

    mutating func add(_ installs: ReportedInstalls) { members.append(Member(installs)) }

    mutating func removeAll() {
        members.removeAll(keepingCapacity: true)
        values.removeAll(keepingCapacity: true)
    }

    fileprivate mutating func begin(_ shares: [Double]) {
        self.shares = shares
        rest = 1
    }

    fileprivate var left: Int { members.count - values.count }

    /// Returns the expected number of installs with this value among those without a drawn value. Values that were
    /// drawn earlier are ruled out for these.
    fileprivate func expected(_ value: Int) -> Double {
        shares[value] > 0 ? Double(left) * min(shares[value] / max(rest, shares[value]), 1) : 0
    }

    /// Whether this is the last possible value, so that all installs without a drawn value have it.
    fileprivate func isLast(_ value: Int) -> Bool { shares[value] > 0 && rest - shares[value] < 1e-9 }

    fileprivate static var tries: Int { 8 }

    fileprivate mutating func take(_ value: Int) { values.append(value) }

    /// Gives this value to all installs that have none yet, but to at most `most`, and returns how many got it.
    fileprivate mutating func takeAll(_ value: Int, atMost most: Int) -> Int {
        let count = min(left, most)
        values += [Int](repeating: value, count: count)
        return count
    }

    /// Removes one of the drawn values at random and returns it; nil if there are none.
    mutating func removeValue(_ numbers: inout DrawnNumbers) -> Int? {
        guard !values.isEmpty else { return nil }
        values.swapAt(numbers.index(below: values.count), values.count - 1)
        return values.removeLast()
    }
}

extension HiddenInstalls.Member {
    init(_ installs: ReportedInstalls) {
        self.init(line: installs.line, week: installs.week, cell: installs.cell)
    }
}

extension [HiddenInstalls] {
    /// Draws values for the hidden installs of one model. `mixes`: the mix of each element. `left`: for each value, the
    /// number of the app's own installs with it for which no postback carried it. Each of these is hidden or organic,
    /// so no more than this number can be hidden.
    ///
    /// Values are drawn in ascending order of `left`, the rarest first. For each value, the number of hidden installs
    /// with it is drawn in proportion to what the mixes expect, and then the campaign of each.
    mutating func drawValues(_ mixes: [[Double]], left: [Int], _ numbers: inout DrawnNumbers) {
        for place in indices { self[place].begin(mixes[place]) }
        for value in left.indices.sorted(by: { (left[$0], $0) < (left[$1], $1) }) where left[value] > 0 {
            var sums: [Double] = []
            var (sum, own) = (0.0, left[value])
            for place in indices {
                if self[place].isLast(value) {
                    own -= self[place].takeAll(value, atMost: own)
                } else {
                    sum += self[place].expected(value)
                }
                sums.append(sum)
                self[place].rest -= self[place].shares[value]
            }
            guard sum > 0 else { continue }
            for _ in 0..<numbers.binomial(own, Swift.min(sum / Double(Swift.max(own, 1)), 1)) {
                // If the element that was drawn has no install left, another one is drawn.
                for _ in 0..<HiddenInstalls.tries {
                    let place = sums.place(of: numbers.part() * sum)
                    guard self[place].left > 0 else { continue }
                    self[place].take(value)
                    break
                }
            }
        }
        // There are not enough of the app's own installs, so installs still without a value get any value of their mix.
        for place in indices where self[place].left > 0 {
            var (sums, sum) = ([Double](), 0.0)
            for share in self[place].shares {
                sum += share
                sums.append(sum)
            }
            guard sum > 0 else { continue }
            for _ in 0..<self[place].left { self[place].take(sums.place(of: numbers.part() * sum)) }
        }
    }
}

extension [Double] {
    /// The index of the first of these ascending sums that exceeds `wanted`.
    fileprivate func place(of wanted: Double) -> Int {
        var (low, high) = (0, count - 1)
        while low < high {
            let middle = (low + high) / 2
            if self[middle] > wanted { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
