package import SKANCore
package import SKANPostbackReceiving
package import SKANPostbackVerification

/// What a postback's value stands for. The report, rows, estimates and both ways to call a partner take it from here.
package struct PostbackMeaning {
    package let decoding: PostbackDecoding
    /// The version of the model that applies.
    package let model: SHA256?
    package let worth: PostbackWorth
    /// What the model says of the value of a postback that won; nil where it says nothing.
    package var decoded: (currency: Currency, events: [UInt8])?
}

/// The revenue that a postback's value stands for.
package enum PostbackWorth {
    /// The postback has no worth, because another network won.
    case lost
    /// The network won, but the postback has no value.
    case hidden
    case known(ValueRevenue)
    case unknown(UnpricedReason)
}

extension RevenueModels {
    package func meaning(of postback: VerifiedPostback, _ record: borrowing PostbackRecord) -> PostbackMeaning {
        meaning(of: Sighting(record, of: postback, self))
    }

    func meaning(of sighting: borrowing Sighting) -> PostbackMeaning {
        var meaning = PostbackMeaning(decoding: sighting.decoding, model: sighting.model, worth: worth(of: sighting))
        guard sighting.isWinning, sighting.meantDecoding == .decoded, let model = model(sighting.model) else {
            return meaning
        }
        let events = model.events(sighting.window, fine: sighting.fine, coarse: sighting.coarse)
        meaning.decoded = (model.model.currency, events)
        return meaning
    }

    func worth(of sighting: borrowing Sighting) -> PostbackWorth {
        guard sighting.isWinning else { return .lost }
        guard sighting.fine != nil || sighting.coarse != nil else { return .hidden }
        switch sighting.meantDecoding {
        case .ambiguous: return .unknown(.ambiguous)
        case .noModel: return .unknown(.noModel)
        case .undecodable: return .unknown(.undecodable)
        case .decoded: break
        default: return .unknown(.notDecoded)
        }
        guard let model = model(sighting.model) else { return .unknown(.modelMissing) }
        return switch model.worth(sighting.window, fine: sighting.fine, coarse: sighting.coarse) {
        case .known(let revenue): .known(revenue)
        case .noRevenue: .unknown(.noRevenue)
        case .cumulative: .unknown(.cumulative)
        case .undecodable: .unknown(.undecodable)
        }
    }
}

extension Sighting {
    /// Fine 0 of window 0 without a rule: older receivers kept it as undecodable.
    fileprivate var meantDecoding: PostbackDecoding {
        let isOfRegistration = window == .first && fine == 0 && coarse == nil
        return decoding == .undecodable && isOfRegistration ? .decoded : decoding
    }
}
