internal import SKANCore
internal import SKANPostbackReceiving

/// What a winning postback says of its value.
enum SightedValue {
    case hidden
    case fine(ValueRevenue?)
    case coarse(ValueRevenue?)
}

extension ValueCounts {
    /// Counts a value, and why its revenue is not known.
    mutating func add(_ sighting: borrowing Sighting, _ models: RevenueModels) -> SightedValue {
        if let fine = sighting.fine {
            add(fine: fine)
            return .fine(revenue(sighting, models))
        }
        guard let coarse = sighting.coarse else { return .hidden }
        add(coarse: coarse, sighting.window)
        return .coarse(revenue(sighting, models))
    }

    private mutating func revenue(_ sighting: borrowing Sighting, _ models: RevenueModels) -> ValueRevenue? {
        switch sighting.revenue(models) {
        case .known(let revenue): return revenue
        case .unknown(let reason): unpriced[reason] &+= 1
        }
        return nil
    }
}

/// The revenue of a value that is not hidden, or why it is not known.
enum SightedRevenue {
    case known(ValueRevenue)
    case unknown(UnpricedReason)
}

extension Sighting {
    func revenue(_ models: RevenueModels) -> SightedRevenue {
        switch meantDecoding {
        case .ambiguous: return .unknown(.ambiguous)
        case .noModel: return .unknown(.noModel)
        case .undecodable: return .unknown(.undecodable)
        case .decoded: break
        default: return .unknown(.notDecoded)
        }
        guard let model = models.model(model) else { return .unknown(.modelMissing) }
        return switch model.worth(window, fine: fine, coarse: coarse) {
        case .known(let revenue): .known(revenue)
        case .noRevenue: .unknown(.noRevenue)
        case .cumulative: .unknown(.cumulative)
        case .undecodable: .unknown(.undecodable)
        }
    }

    /// Fine 0 of window 0 without a rule: older receivers kept it as undecodable.
    var meantDecoding: PostbackDecoding {
        let isOfRegistration = window == .first && fine == 0 && coarse == nil
        return decoding == .undecodable && isOfRegistration ? .decoded : decoding
    }
}

extension WindowCounts {
    /// False where a sum of money would leave the range.
    mutating func add(_ value: SightedValue) -> Bool {
        switch value {
        case .hidden:
            hidden &+= 1
            return true
        case .fine(let revenue):
            fine &+= 1
            return revenue.map { add($0) } ?? true
        case .coarse(let revenue):
            coarse &+= 1
            return revenue.map { add($0) } ?? true
        }
    }

    private mutating func add(_ revenue: ValueRevenue) -> Bool {
        let range = revenue.range
        priced &+= 1
        open &+= range.most == nil ? 1 : 0
        let ends = revenue.estimateEnds
        return least.take(in: range.least) && twiceMiddle.take(in: ends.lower) && twiceMiddle.take(in: ends.upper)
            && (range.most.map { most.take(in: $0) } ?? true)
    }
}
