import SKANCommandRows
import SKANCore
import SKANTruth

extension InstallWeeks {
    /// What the weeks of one network, or of all (nil), brought. Those without installs and costs are left out.
    func weeks(_ network: [UInt8]?, _ brought: Brought) -> [BroughtWeek] {
        guard brought.hasEstimates else { return [] }
        let place = network.map { self.place(ofNetwork: $0) }
        if case .some(.none) = place { return [] }
        let networks = (place ?? nil).map { $0..<$0 + 1 } ?? 0..<networkCount
        return (0..<count).compactMap { week in
            let cells = networks.map { self.cells($0, week) }
            let all = cells.flatMap { $0.all }.filter { installs[$0] > 0 }
            let paid = cells.map { $0.paid }
            let sum = all.reduce(0) { $0 + installs[$1] }
            var cost: Money?
            for cell in paid {
                if let more = costs[cell] { _ = cost.take(in: more) }
            }
            guard sum > 0 || cost != nil else { return nil }
            return BroughtWeek(
                start: start(week), installs: sum, cost: cost,
                brought: BroughtAnswers(
                    all: brought.answers(cells: all),
                    paid: brought.answers(cells: paid.filter { installs[$0] > 0 })))
        }
    }
}

/// Estimated revenue of the installs of one week, of one network or of all.
struct BroughtWeek {
    /// The start of the week, a Monday, in Unix seconds.
    let start: Int64
    /// The number of installs and redownloads.
    let installs: UInt64
    /// The cost of that week according to dated rows of campaigns; nil without such rows.
    let cost: Money?
    /// Revenue; the paid part is of campaigns whose costs have dates.
    let brought: BroughtAnswers
}
