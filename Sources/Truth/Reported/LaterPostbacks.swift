import SKANCore

/// The values in postbacks of windows 1 and 2, and the installs whose postback of window 0 carried a value, by line and
/// day of install.
///
/// Apple sends these postbacks for installs of the tiers 1 to 3, whose postback of window 0 has a coarse or a fine
/// value, if the app set a coarse value in that window. It sends none for tier 0, whose values are hidden. The
/// postbacks carry a coarse value and the two digits of the campaign ("Receiving postbacks in multiple conversion
/// windows"). Apple does not say whether it sends them for redownloads, so redownloads are not counted here.
struct LaterPostbacks {
    private(set) var installs: [ReportingInstalls: UInt32] = [:]
    private(set) var values: [LaterValue: UInt32] = [:]
    /// The number of installs left out of `installs` because their model was not given.
    private(set) var ofOtherModels: UInt64 = 0
    private(set) var firstDay: Int64 = .max

    /// Installs whose postback of window 0 carried a value, so that postbacks of windows 1 and 2 can follow.
    struct ReportingInstalls: Hashable, Comparable {
        let line: Int32
        /// The index of the model that decodes the value of window 0, or `PlaceOfModel.undecided`.
        let model: UInt8
        /// A fine value, or the constant `coarse` plus a coarse value.
        let value: UInt8
        /// The day of install, in days since 1970.
        let day: Int32

        static var coarse: UInt8 { 64 }

        static func < (one: ReportingInstalls, other: ReportingInstalls) -> Bool {
            (one.line, one.day, one.model, one.value) < (other.line, other.day, other.model, other.value)
        }
    }

    /// A value that a postback of window 1 or 2 carried.
    struct LaterValue: Hashable {
        let line: Int32
        let window: UInt8
        let coarse: UInt8
        let day: Int32
    }

    /// Counts a winning postback, unless it is for a redownload or from before SKAN 4. `model`: the index of the model
    /// of window 0, or a value of `PlaceOfModel`.
    mutating func add(_ observed: ReportedPostback, line: Int, model: Int) {
        guard !observed.isRedownload, !observed.isBeforeSKAN4 else { return }
        if observed.window == .first {
            addInstall(observed, line, model)
        } else if let coarse = observed.coarse {
            let key = LaterValue(
                line: Int32(clamping: line), window: observed.window.rawValue, coarse: UInt8(clamping: coarse),
                day: Int32(clamping: observed.day))
            values[key, default: 0] += 1
        }
    }

    private mutating func addInstall(_ observed: ReportedPostback, _ line: Int, _ model: Int) {
        firstDay = min(firstDay, observed.day)
        let value: UInt8
        if let fine = observed.fine {
            value = UInt8(clamping: min(fine, Int(ReportingInstalls.coarse) - 1))
        } else if let coarse = observed.coarse {
            value = ReportingInstalls.coarse + UInt8(clamping: min(coarse, 2))
        } else {
            return
        }
        guard model != PlaceOfModel.other else {
            ofOtherModels += 1
            return
        }
        let key = ReportingInstalls(
            line: Int32(clamping: line), model: UInt8(clamping: model), value: value,
            day: Int32(clamping: observed.day))
        installs[key, default: 0] += 1
    }
}
