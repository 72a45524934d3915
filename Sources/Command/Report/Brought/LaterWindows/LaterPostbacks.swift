internal import SKANCore

/// What postbacks of windows 1 and 2 told of installs whose postback of window 0 had a fine value: by line and day of
/// install. Counted are those with three or four digits of the source identifier alone: Apple gives these, and fine
/// values, by the same crowd in all windows.
struct LaterPostbacks {
    private(set) var installs: [FineInstalls: UInt32] = [:]
    private(set) var values: [LaterValue: UInt32] = [:]
    /// How many more installs are of a model that was not given.
    private(set) var ofOtherModels: UInt64 = 0
    private(set) var firstDay: Int64 = .max

    /// Installs whose postback of window 0 carried a fine value.
    struct FineInstalls: Hashable, Comparable {
        let line: Int32
        /// The place of the model of window 0, or `PlaceOfModel.undecided`.
        let model: UInt8
        let fine: UInt8
        /// Days since 1970.
        let day: Int32

        static func < (one: FineInstalls, other: FineInstalls) -> Bool {
            (one.line, one.day, one.model, one.fine) < (other.line, other.day, other.model, other.fine)
        }
    }

    /// A value that the postback of a later window carried.
    struct LaterValue: Hashable {
        let line: Int32
        let window: UInt8
        let coarse: UInt8
        let day: Int32
    }

    /// A winning postback of an install; `model`: that of window 0, or one of `PlaceOfModel`.
    mutating func add(_ observed: borrowing ObservedPostback, line: Int, model: Int) {
        let identifier = observed.identifier
        guard !identifier.isBeforeSKAN4, identifier.text.count > CampaignIdentifier.shortest else { return }
        let day = observed.middleDay
        if observed.window == .first {
            firstDay = min(firstDay, day)
            guard let fine = observed.fine else { return }
            guard model != PlaceOfModel.other else {
                ofOtherModels &+= 1
                return
            }
            let key = FineInstalls(
                line: Int32(clamping: line), model: UInt8(clamping: model), fine: UInt8(clamping: fine),
                day: Int32(clamping: day))
            installs[key, default: 0] &+= 1
        } else if let coarse = observed.coarse {
            let key = LaterValue(
                line: Int32(clamping: line), window: observed.window.rawValue, coarse: UInt8(clamping: coarse),
                day: Int32(clamping: day))
            values[key, default: 0] &+= 1
        }
    }
}

extension ObservedPostback {
    /// The middle of the days on which the install may have been made, since 1970.
    var middleDay: Int64 { (dates.from / 2 + dates.untilUnlocked / 2) / Day.seconds }
}

/// Indices for models that were not given to the report.
enum PlaceOfModel {
    /// The model of a postback that does not say which one it has.
    static var undecided: Int { 255 }
    /// A model that the report was not given.
    static var other: Int { 254 }
}

extension RevenueModels {
    /// The index of a postback's model, by which its values are counted.
    func place(_ observed: borrowing ObservedPostback) -> Int {
        guard let version = observed.model else { return PlaceOfModel.undecided }
        let place = place(version) ?? PlaceOfModel.other
        return min(place, PlaceOfModel.other)
    }
}
