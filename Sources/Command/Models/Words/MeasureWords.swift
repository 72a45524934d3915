import SKANCore

extension ConversionModel {
    /// Returns a measure in words, such as "how many of purchase, refund since install; day 0, IAP of $5 to $10".
    func words(of measure: ModelMeasure) -> Message {
        let events = listed(
            measure.events.map {
                $0.isEveryEvent ? "every event" : $0.isSession ? "sessions" : Message(writing: $0.write)
            })
        let what: StaticString =
            switch measure.counting {
            case .count: "how many of"
            case .sum: "money of"
            case .days: "days with"
            }
        let scope: StaticString = measure.isLifetime ? "since install" : "in the window"
        let filters = filterWords(measure)
        return filters.isEmpty ? "\(what) \(events) \(scope)" : "\(what) \(events) \(scope); \(listed(filters))"
    }

    private func filterWords(_ measure: ModelMeasure) -> [Message] {
        var words: [Message] = []
        if let time = measure.time {
            words.append(measure.isTimeInDays ? CountWords(time.inDays).day : CountWords(time).hours)
        }
        let kind: Message? = measure.kind.map { $0 == .iap ? "IAP" : "ad revenue" }
        if let amount = measure.amount {
            words.append("\(kind.map { "\($0) of " } ?? "")\(rangeWords(amount, currency))")
        } else if let kind {
            words.append("with \(kind)")
        }
        return words
    }
}
