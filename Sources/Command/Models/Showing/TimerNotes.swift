import SKANCore

/// Rules, "SKAN 3": the time in seconds from the last value to the end of the window. The notes consider only
/// conditions on time.
private let timer = Int128(Day.seconds)

extension ConversionModel {
    /// Notes on SKAN 3 rules that hold only after the timer has ended, which is too late.
    var notesOnTimer: [Message] {
        let list = windows[0].list
        let numbers = list.rules.indices.filter { list.rules[$0].fine ?? 0 > 0 }
        let unreachable = unreachableRules(numbers)
        if list.rules.isEmpty { return [] }
        if unreachable.count == numbers.count {
            let what: StaticString = "no rule for a fine value above 0 can hold in the 24 hours after registering"
            return ["window 0: never sends a value: \(what)"]
        }
        return unreachable.map {
            "window 0: rule \($0) never sends its value: no smaller value can keep the window open until it holds"
        }
    }

    /// Returns the numbers of the rules that no install can reach. A rule can be reached if its range of time begins
    /// before the window closes; each smaller value may make the window close later.
    private func unreachableRules(_ numbers: [Int]) -> [Int] {
        let list = windows[0].list
        var unreachable: [Int] = []
        // The latest time at which the window closes after registration or a smaller value.
        var closes = timer
        for fine in UInt8(1)...63 {
            var latest = closes
            for number in numbers where list.rules[number].fine == fine {
                let time = list.time(of: list.rules[number])
                let begins = (time?.min ?? 0) * 3600
                let end = time?.end.map { $0 * 3600 } ?? Int128.max
                if begins < closes {
                    latest = max(latest, min(closes, end) - 1 + timer)
                } else {
                    unreachable.append(number)
                }
            }
            closes = latest
        }
        return unreachable.sorted()
    }
}
