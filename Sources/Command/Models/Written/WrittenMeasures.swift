import SKANCore

/// The measures of a model, without repetitions. They are found by hash, because an imported file may have very many;
/// the model's check later refuses more than a few.
struct WrittenMeasures {
    private(set) var list: [WrittenMeasure] = []
    /// The name of each measure, keyed by its definition.
    private var names: [[UInt8]: [UInt8]] = [:]
    private var taken: Set<[UInt8]> = []
    /// The last number that was appended to each name.
    private var numbers: [[UInt8]: Int] = [:]

    /// Returns the name of an equal measure; adds the measure if there is none.
    mutating func add(_ measure: WrittenMeasure) -> [UInt8] {
        let definition = measure.definition.utf8
        if let name = names[definition] { return name }
        var made = measure
        made.name = freeName(measure.name)
        names[definition] = made.name
        list.append(made)
        return made.name
    }

    /// Returns the name, with a number appended if the name is taken.
    private mutating func freeName(_ name: [UInt8]) -> [UInt8] {
        var free = name
        var number = numbers[name] ?? 1
        while !taken.insert(free).inserted {
            number += 1
            let ending: Message = " \(number)"
            free = name.prefix(Limits.measureNameBytes - ending.utf8.count) + ending.utf8
        }
        numbers[name] = number
        return free
    }
}

struct WrittenMeasure {
    var name: [UInt8]
    var counting: ModelMeasure.Counting
    var events: [[UInt8]]
    var isLifetime = false
    /// Limits the measure to events with an amount of this kind; nil = all events.
    var kind: RevenueKind?
    var amount: WrittenRange<Money>?
    var day: WrittenRange<Int64>?
    var hours: WrittenRange<Int64>?
}
