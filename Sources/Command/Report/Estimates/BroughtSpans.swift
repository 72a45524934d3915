import SKANCommandOutput
import SKANCommandRows
import SKANCore
import SKANTruth

extension InstallWeeks {
    /// Returns the estimated revenue of each week, for one network, or for all if `network` is nil. Weeks that have
    /// neither installs nor costs are left out.
    func weeks(_ network: [UInt8]?, _ brought: Brought) -> [BroughtSpan] {
        guard brought.hasEstimates else { return [] }
        let place = network.map { self.place(ofNetwork: $0) }
        if case .some(.none) = place { return [] }
        let networks = (place ?? nil).map { $0..<$0 + 1 } ?? 0..<networkCount
        return (0..<count).compactMap { span($0..<$0 + 1, of: networks, brought) }
    }

    /// Returns the estimated revenue of each month for all networks. A month consists of the weeks that begin in it.
    func months(_ brought: Brought) -> [BroughtSpan] {
        guard brought.hasEstimates else { return [] }
        let months = (0..<count).map { [UInt8](utcDay(start($0)).utf8.prefix(7)) }
        let firsts = months.indices.filter { $0 == 0 || months[$0 - 1] != months[$0] }
        return zip(firsts, firsts.dropFirst() + [count]).compactMap { first, next in
            span(first..<next, of: 0..<networkCount, brought)
        }
    }

    private func span(_ weeks: Range<Int>, of networks: Range<Int>, _ brought: Brought) -> BroughtSpan? {
        let cells = networks.flatMap { network in weeks.map { self.cells(network, $0) } }
        let all = cells.flatMap { $0.all }.filter { installs[$0] > 0 }
        let paid = cells.map { $0.paid }
        let sum = all.reduce(0) { $0 + installs[$1] }
        var cost: Money?
        for cell in paid {
            if let more = costs[cell] { _ = cost.take(in: more) }
        }
        guard sum > 0 || cost != nil else { return nil }
        return BroughtSpan(
            start: start(weeks.lowerBound), installs: sum, cost: cost,
            brought: BroughtAnswers(
                all: brought.answers(cells: all),
                paid: brought.answers(cells: paid.filter { installs[$0] > 0 })))
    }
}

/// The estimated revenue of the installs of one week, or of the weeks that begin in one month, for one network or for
/// all.
struct BroughtSpan {
    /// The start of the first week, a Monday, in Unix seconds.
    let start: Int64
    /// Includes redownloads.
    let installs: UInt64
    /// The sum of costs with dates; nil if there are none.
    let cost: Money?
    /// The paid part covers only the campaigns whose costs have dates.
    let brought: BroughtAnswers
}
