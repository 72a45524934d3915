import SKANCommandRows
import SKANCore
import SKANTruth

extension ReportedPostback {
    /// Copies the fields that estimates need from a winning postback of an install or a redownload.
    init(_ observed: borrowing ObservedPostback) {
        self.init(
            window: observed.window, day: observed.middleDay, fine: observed.fine, coarse: observed.coarse,
            isRedownload: observed.conversion == .redownload, isBeforeSKAN4: observed.identifier.isBeforeSKAN4,
            hasLongIdentifier: observed.identifier.text.count > CampaignIdentifier.shortest, app: observed.app)
    }
}

extension ObservedPostback {
    /// The middle of the days on which the install may have happened, in days since 1970.
    fileprivate var middleDay: Int64 { (dates.from / 2 + dates.untilUnlocked / 2) / Day.seconds }
}

extension RevenueModels {
    /// Returns the index of the model under which estimates count a postback's value, or a value of `PlaceOfModel` if
    /// the model is not known.
    func place(_ observed: borrowing ObservedPostback) -> Int {
        guard let version = observed.model else { return PlaceOfModel.undecided }
        let place = place(version) ?? PlaceOfModel.other
        return min(place, PlaceOfModel.other)
    }
}

extension EstimatedLines {
    /// `lines`: sorted lines, as `Tally.end` leaves them.
    init(_ lines: [TallyLine]) {
        self.init(count: lines.count)
        for (index, line) in lines.enumerated() {
            let before = index > 0 ? lines[index - 1] : nil
            add(
                number: line.number, isOfNewCampaign: before?.isOfSameCampaign(as: line) != true,
                isOfNewNetwork: before?.network != line.network)
        }
    }
}

extension InstallGroups {
    /// `now`: the present time, in Unix seconds.
    init(_ models: RevenueModels, now: Int64) {
        self.init(models.indices.compactMap { models[$0]?.model }, now: now)
    }
}
