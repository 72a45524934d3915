/// Installs of one campaign and model whose postbacks carried no value, or only one coarse value.
struct HiddenInstalls {
    let campaign: Int
    let model: Int
    let coarse: Int?
    private(set) var members: [Member] = []
    /// Values that were drawn for members, in any order.
    private(set) var values: [Int] = []
    /// The probability of each value for installs that have none yet.
    fileprivate var shares: [Double] = []
    /// The sum of the shares that have not been drawn from yet.
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

    /// The expected number of the remaining installs that have a value, if they have none of the values before it.
    fileprivate func expected(_ value: Int) -> Double {
        shares[value] > 0 ? Double(left) * min(shares[value] / max(rest, shares[value]), 1) : 0
    }

    /// Whether this is the last possible value, which all remaining installs have.
    fileprivate func isLast(_ value: Int) -> Bool { shares[value] > 0 && rest - shares[value] < 1e-9 }

    fileprivate static var tries: Int { 8 }

    fileprivate mutating func take(_ value: Int) { values.append(value) }

    /// Takes a value for as many installs as are left, and returns their number.
    fileprivate mutating func takeAll(_ value: Int, atMost most: Int) -> Int {
        let count = min(left, most)
        values += [Int](repeating: value, count: count)
        return count
    }

    /// Removes one of the drawn values and returns it; nil: there are none.
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
    /// Draws values for installs of one model. `mixes`: by place. `left`: of how many own installs with each value no
    /// postback told; an own install is hidden, or organic: no more are hidden than there are.
    ///
    /// The values that the fewest own installs have come first. As many as are expected are drawn from the own ones,
    /// each as likely as the others; which campaign has them is drawn then.
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
                // One that has no install left is drawn anew.
                for _ in 0..<HiddenInstalls.tries {
                    let place = sums.place(of: numbers.part() * sum)
                    guard self[place].left > 0 else { continue }
                    self[place].take(value)
                    break
                }
            }
        }
        // Own installs lack: the others have any value.
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
    /// The index of the first of these growing sums that is larger.
    fileprivate func place(of wanted: Double) -> Int {
        var (low, high) = (0, count - 1)
        while low < high {
            let middle = (low + high) / 2
            if self[middle] > wanted { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
