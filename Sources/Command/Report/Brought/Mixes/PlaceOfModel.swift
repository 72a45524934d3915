internal import SKANCore

/// Places of models that are none of the report's.
enum PlaceOfModel {
    /// The model of a postback that does not say which one it has.
    static var undecided: Int { 255 }
    /// A model that the report was not given.
    static var other: Int { 254 }
}

extension RevenueModels {
    /// The place of a postback's model, as its values are counted by.
    func place(_ observed: borrowing ObservedPostback) -> Int {
        guard let version = observed.model else { return PlaceOfModel.undecided }
        let place = place(version) ?? PlaceOfModel.other
        return min(place, PlaceOfModel.other)
    }
}
