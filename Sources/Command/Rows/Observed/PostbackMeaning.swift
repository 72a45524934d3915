package import SKANCore
package import SKANPostbackReceiving

/// The meaning of a postback's value, as the report, rows, estimates and calls to partners use it.
package struct PostbackMeaning {
    package let decoding: PostbackDecoding
    /// The version of the model that applies to the value; nil if none does.
    package let model: SHA256?
    package let worth: PostbackWorth
    /// The currency and events that the model gives for a winning postback's value; nil if it gives none.
    package var decoded: (currency: Currency, events: [UInt8])?
}

/// The revenue that a postback's value stands for.
package enum PostbackWorth {
    /// The postback has no worth, because another network won.
    case lost
    /// The network won, but the postback has no value.
    case hidden
    /// The network won, but the value has no meaning.
    case illegal
    /// The postback is of a type that the library does not know, so nothing says what its value means.
    case unknownType
    case known(ValueRevenue)
    case unknown(UnpricedReason)
}

extension RevenueModels {
    func meaning(of observed: borrowing ObservedPostback) -> PostbackMeaning {
        var meaning = PostbackMeaning(decoding: observed.decoding, model: observed.model, worth: worth(of: observed))
        guard let model = decidingModel(observed) else { return meaning }
        let events = model.events(observed.window, fine: observed.fine, coarse: observed.coarse)
        meaning.decoded = (model.model.currency, events)
        return meaning
    }

    /// The names of the events that a winning postback's value proves, separated by commas.
    package func events(of observed: borrowing ObservedPostback) -> [UInt8] {
        decidingModel(observed)?.events(observed.window, fine: observed.fine, coarse: observed.coarse) ?? []
    }

    /// The model that says what a winning postback's value means; nil if none does.
    private func decidingModel(_ observed: borrowing ObservedPostback) -> RevenueModel? {
        guard observed.isWinning, observed.decoding == .decoded else { return nil }
        return model(observed.model, of: observed.app)
    }

    package func worth(of observed: borrowing ObservedPostback) -> PostbackWorth {
        guard observed.isWinning else { return .lost }
        if observed.conversion == .unknownType { return .unknownType }
        if observed.isIllegal { return .illegal }
        guard observed.fine != nil || observed.coarse != nil else { return .hidden }
        switch observed.decoding {
        case .ambiguous: return .unknown(.ambiguous)
        case .noModel: return .unknown(.noModel)
        case .undecodable: return .unknown(.undecodable)
        case .decoded: break
        default: return .unknown(.notDecoded)
        }
        guard let model = model(observed.model, of: observed.app) else { return .unknown(.modelMissing) }
        return switch model.worth(observed.window, fine: observed.fine, coarse: observed.coarse) {
        case .known(let revenue): .known(revenue)
        case .noRevenue: .unknown(.noRevenue)
        case .cumulative: .unknown(.cumulative)
        case .undecodable: .unknown(.undecodable)
        }
    }
}
