internal import SKANCore

extension RevenueModels {
    /// The place of a postback's model, as its values are counted by.
    func place(_ observed: borrowing ObservedPostback) -> Int {
        guard let version = observed.model else { return PostbackValueKey.undecidedModel }
        let place = place(version) ?? PostbackValueKey.otherModel
        return min(place, PostbackValueKey.otherModel)
    }
}
