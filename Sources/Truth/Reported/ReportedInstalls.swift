import SKANCore

/// The installs of one line, day and model whose postbacks carried the same value.
struct ReportedInstalls {
    let line: Int
    /// The index of the cell, such as a week, that counts the installs in addition to their line; nil if there is none.
    /// The indices of cells follow the indices of lines.
    var cell: Int?
    let campaign: Int
    /// The age of the installs in weeks.
    let week: Int
    let count: Int
    let value: ReportedValue
    let model: ReportedModel

    var places: [Int] { [line] + (cell.map { [$0] } ?? []) }
}

/// The conversion model of installs according to their postbacks.
enum ReportedModel {
    case known(Int)
    /// The postbacks do not name the model, as around a change of models. Carries the likelihood of each given model.
    case undecided([Double])
    /// The installs have a model that the report was not given. Carries the likelihood of each given model; one of them
    /// is drawn instead.
    case other([Double])
}

extension InstallGroups {
    /// Returns the installs that a counted value stands for. If their model is not known, its likelihoods are computed
    /// from the app's own installs of these days with that value.
    func reportedInstalls(_ value: PostbackValueCount, campaign: Int) -> ReportedInstalls {
        let key = value.key
        let age = max(now / Day.seconds - key.day, 0)
        let model: ReportedModel =
            switch key.model {
            case ..<models.count: .known(key.model)
            case PlaceOfModel.undecided where models.count > 0: .undecided(likelihoods(key))
            default: .other(likelihoods(key))
            }
        return ReportedInstalls(
            line: key.line, campaign: campaign, week: Int(age) / 7, count: Int(value.count), value: key.value,
            model: model)
    }

    /// The likelihood of each model for installs of a day with this value, if their postbacks do not name the model.
    func likelihoods(_ value: ReportedValue, day: Int64) -> [Double] {
        likelihoods(PostbackValueKey(line: 0, model: PlaceOfModel.undecided, day: day, value: value))
    }

    private func likelihoods(_ key: PostbackValueKey) -> [Double] {
        let models = models.indices
        func count(_ model: Int, _ isMeant: (Int) -> Bool) -> Double {
            (0..<InstallGroup.count).reduce(0) { $0 + (isMeant($1) ? Double(self[model, $1].installs) : 0) }
        }
        let isUndecided = key.model == PlaceOfModel.undecided
        let ofValue = models.map { model in
            switch key.value {
            case .fine(let fine) where isUndecided: count(model) { $0 == fine }
            case .coarse(let coarse) where isUndecided: count(model) { self[model, $0].coarseClass == coarse }
            default: count(model) { _ in true }
            }
        }
        let ofDay = models.map { installs(ofModel: $0, about: key.day) / max(count($0) { _ in true }, 1) }
        let both = zip(ofValue, ofDay).map { $0 * $1 }
        return [both, ofValue].first { $0.contains { $0 > 0 } } ?? [Double](repeating: 1, count: models.count)
    }
}
