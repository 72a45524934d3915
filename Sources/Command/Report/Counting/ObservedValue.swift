import SKANCommandRows
import SKANCore

/// The value of a winning postback, and its revenue if known.
enum ObservedValue {
    case hidden
    /// A value that has no meaning, such as 64.
    case illegal
    case fine(ValueRevenue?)
    case coarse(ValueRevenue?)
}

extension ValueCounts {
    /// Counts a winning postback's value and, if its revenue is not known, the reason for that. Returns the value.
    mutating func add(_ observed: borrowing ObservedPostback, _ models: RevenueModels) -> ObservedValue {
        if let fine = observed.fine {
            add(fine: fine)
            return .fine(revenue(observed, models))
        }
        guard let coarse = observed.coarse else { return observed.isIllegal ? .illegal : .hidden }
        add(coarse: coarse, observed.window)
        return .coarse(revenue(observed, models))
    }

    private mutating func revenue(_ observed: borrowing ObservedPostback, _ models: RevenueModels) -> ValueRevenue? {
        switch models.worth(of: observed) {
        case .known(let revenue): return revenue
        case .unknown(let reason): unpriced[reason] += 1
        case .lost, .hidden, .illegal, .unknownType: break
        }
        return nil
    }
}

extension WindowCounts {
    /// Returns false if a sum of money would exceed `Money.mostReported`.
    mutating func add(_ value: ObservedValue) -> Bool {
        switch value {
        case .hidden:
            carried.hidden += 1
            return true
        case .illegal:
            carried.illegal += 1
            return true
        case .fine(let revenue):
            carried.fine += 1
            return revenue.map { add($0) } ?? true
        case .coarse(let revenue):
            carried.coarse += 1
            return revenue.map { add($0) } ?? true
        }
    }

    private mutating func add(_ revenue: ValueRevenue) -> Bool {
        let range = revenue.range
        carried.priced += 1
        carried.open += range.most == nil ? 1 : 0
        return least.take(in: range.least) && most.take(in: range.most ?? .zero)
            && estimate.take(in: revenue.estimate)
    }
}
