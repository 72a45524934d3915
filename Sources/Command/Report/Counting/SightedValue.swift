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
        switch sighting.meantDecoding {
        case .ambiguous: unpriced.ambiguous &+= 1
        case .noModel: unpriced.noModel &+= 1
        case .undecodable: unpriced.undecodable &+= 1
        case .decoded: return revenue(sighting, of: models.model(sighting.model))
        default: unpriced.notDecoded &+= 1
        }
        return nil
    }

    private mutating func revenue(_ sighting: borrowing Sighting, of model: RevenueModel?) -> ValueRevenue? {
        guard let model else {
            unpriced.modelMissing &+= 1
            return nil
        }
        switch model.worth(sighting.window, fine: sighting.fine, coarse: sighting.coarse) {
        case .known(let revenue): return revenue
        case .noRevenue: unpriced.noRevenue &+= 1
        case .cumulative: unpriced.cumulative &+= 1
        case .undecodable: unpriced.undecodable &+= 1
        }
        return nil
    }
}

extension Sighting {
    /// Fine 0 of window 0 without a rule: older receivers kept it as undecodable.
    fileprivate var meantDecoding: PostbackDecoding {
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
        let upper = revenue.isRegistration ? nil : range.most
        return least.take(in: range.least) && twiceMiddle.take(in: range.least)
            && twiceMiddle.take(in: upper ?? range.least) && (range.most.map { most.take(in: $0) } ?? true)
    }
}
