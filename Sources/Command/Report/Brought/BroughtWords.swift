internal import SKANCore

extension NoEstimate {
    /// The text for a column of the table.
    var short: StaticString {
        switch self {
        case .severalApps: "several apps"
        case .noInstalls: "no installs"
        case .noValues: "no values"
        case .noInstallsOfModel: "other models"
        case .tooFewInstalls: "too few"
        case .moreThanTheStore: "over the store"
        }
    }

    var sentence: StaticString {
        switch self {
        case .severalApps: "the postbacks are of several apps; give --app"
        case .noInstalls: "no postback reports an install or redownload"
        case .noValues: "no postback of the app tells a value"
        case .noInstallsOfModel: "more than 5 % of the installs are of models without own installs, or not given"
        case .tooFewInstalls: "more than 5 % of the installs have values that fewer than 10 own installs have"
        case .moreThanTheStore: "the campaigns are said to have brought more than the store of own installs has"
        }
    }
}

extension BroughtFigure {
    /// The estimate as tables show it, rounded to its significant digits.
    func shortText(_ unit: FigureUnit) -> Message? { unit.text(estimate, places: shortPlaces(unit)) }

    /// "11.02..17.91".
    func shortInterval(_ unit: FigureUnit) -> Message? {
        let places = shortPlaces(unit)
        guard let low = unit.text(low, places: places), let high = unit.text(high, places: places) else { return nil }
        return "\(low)..\(high)"
    }

    /// "1,014.20 (911.02 to 1,117.91)", "62.3% (51.2% to 73.9%)".
    func longText(_ unit: FigureUnit) -> Message? {
        guard let estimate = longEstimate(unit), let interval = longInterval(unit) else { return nil }
        return "\(estimate) (\(interval))"
    }

    func longEstimate(_ unit: FigureUnit) -> Message? { unit.text(estimate, places: unit.longPlaces) }

    /// "911.02 to 1,117.91".
    func longInterval(_ unit: FigureUnit) -> Message? {
        guard let low = unit.text(low, places: unit.longPlaces), let high = unit.text(high, places: unit.longPlaces)
        else { return nil }
        return "\(low) to \(high)"
    }

    /// "11.02..30.91", the interval if values were hidden because of what they are.
    func shortWorst(_ unit: FigureUnit) -> Message? {
        worst.flatMap { BroughtFigure(estimate, $0).shortInterval(unit) }
    }

    private func shortPlaces(_ unit: FigureUnit) -> Int {
        switch unit {
        case .amount: high.magnitude < 1_000 ? 2 : 0
        case .share: high.magnitude < 10 ? 1 : 0
        }
    }
}

/// The unit of a figure, which decides how it is written.
enum FigureUnit {
    /// "1,014.20".
    case amount
    /// A share of 1, in percent: "62.3%".
    case share

    fileprivate var longPlaces: Int { self == .amount ? 2 : 1 }

    /// nil if the number is too large to show.
    func text(_ number: Double, places: Int) -> Message? {
        switch self {
        case .amount: BroughtFigure.text(number, places: places)?.grouped
        case .share: BroughtFigure.text(number * 100, places: places).map { "\($0.grouped)%" }
        }
    }
}

extension BroughtAnswer {
    /// "14.20 (11.02 to 17.91)", or "no estimate: too few".
    var longText: Message? { figure?.longText(.amount) ?? whyNot.map { "no estimate: \($0.short)" } }
}

extension Horizon {
    var words: StaticString {
        switch self {
        case .day2: "day 2"
        case .day7: "day 7"
        case .day35: "day 35"
        case .day60: "day 60"
        case .day90: "day 90"
        case .day180: "day 180"
        case .toDate: "to date"
        }
    }
}

extension BroughtBasis {
    /// Explains to readers where the estimates come from, sentence by sentence.
    var sentences: [Message] {
        var sentences: [Message] = [ownInstalls]
        for reason in left.reasons where reason.count > 0 {
            sentences.append("Left out: \(reason.count.readable) installs \(reason.words).")
        }
        for (version, installs) in left.versions {
            sentences.append("Model \(Message(writing: version.write)) was not given: \(installs.readable) installs.")
        }
        if left.unrated > 0 {
            sentences.append("Revenue without a rate counts as nothing: \(left.unrated.readable) installs have such.")
        }
        sentences.append(reportedInstalls)
        if let fewestBehindValue {
            sentences.append(
                "Each fine value that a postback carried stands for \(fewestBehindValue.readable) installs or more.")
        }
        for horizon in Horizon.ofWindows where young[horizon.rawValue] > 0 {
            sentences.append(tooYoung(horizon))
        }
        sentences.append(
            "Estimates include redownloads, of which there are \(redownloads.readable), and no re-engagements.")
        return sentences
    }

    /// States for each model how many own installs have each value.
    var valueSentences: [Message] {
        var sentences: [Message] = []
        for (place, told) in behind.enumerated() {
            if place == 0 || behind[place - 1].model != told.model {
                sentences.append("Own installs behind each fine value, model \(Message(writing: told.model.write)):")
            }
            let separator: StaticString = sentences.last?.utf8.last == UInt8(ascii: ":") ? "" : ","
            sentences[sentences.count - 1] =
                "\(sentences.last ?? "")\(separator) \(told.value): \(told.installs.readable) for \(told.postbacks.readable) reported"
        }
        return sentences.map { "\($0)." }
    }

    private var ownInstalls: Message {
        var sentence: Message = "Own installs in \(store) that values are compared with"
        for horizon in Horizon.allCases where installs[horizon.rawValue] > 0 || horizon.window != nil {
            let separator: StaticString = horizon == .day2 ? ":" : ","
            sentence = "\(sentence)\(separator) \(installs[horizon.rawValue].readable) \(horizon.words)"
        }
        return "\(sentence)."
    }

    private var reportedInstalls: Message {
        """
        Of \(told.readable) installs and redownloads that postbacks report, \(part(fine)) have a fine value, \
        \(part(coarse)) only a coarse one, and \(part(hidden)) none.
        """
    }

    private func tooYoung(_ horizon: Horizon) -> Message {
        "Too young for \(horizon.words), and forecast: \(part(young[horizon.rawValue])) of them."
    }

    /// "12 (3.4 %)".
    private func part(_ count: UInt64) -> Message { "\(count.readable) (\(percentText(count, of: told) ?? "0") %)" }
}
