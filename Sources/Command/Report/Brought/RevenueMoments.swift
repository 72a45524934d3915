/// How many installs there are, and the moments of what each brought.
struct RevenueMoments {
    private(set) var count = 0.0
    private(set) var sum = 0.0
    private var squares = 0.0
    private var cubes = 0.0

    mutating func add(_ revenue: Double) {
        count += 1
        sum += revenue
        squares += revenue * revenue
        cubes += revenue * revenue * revenue
    }

    mutating func add(_ more: RevenueMoments) {
        count += more.count
        sum += more.sum
        squares += more.squares
        cubes += more.cubes
    }

    /// The moments of the same installs if each had brought this many times as much.
    func scaled(by factor: Double) -> RevenueMoments {
        var scaled = self
        scaled.sum *= factor
        scaled.squares *= factor * factor
        scaled.cubes *= factor * factor * factor
        return scaled
    }

    /// 0 of nothing, as the others.
    var mean: Double { count > 0 ? sum / count : 0 }

    /// Of the population's members, divided by their number less one.
    var variance: Double {
        guard count > 1 else { return 0 }
        return max(squares - sum * mean, 0) / (count - 1)
    }

    /// About the mean.
    var third: Double {
        guard count > 0 else { return 0 }
        return cubes / count - 3 * mean * squares / count + 2 * mean * mean * mean
    }
}
