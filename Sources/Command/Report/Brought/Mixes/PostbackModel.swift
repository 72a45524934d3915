internal import SKANCore

extension RevenueModels {
    /// The place of a postback's model, as its values are counted by.
    func place(_ sighting: borrowing Sighting) -> Int {
        guard let version = sighting.model else { return PostbackValueKey.undecidedModel }
        let place = place(version) ?? PostbackValueKey.otherModel
        return min(place, PostbackValueKey.otherModel)
    }
}
