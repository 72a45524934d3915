internal import SKANCore

/// What a player's device was told of values: each update is delivered at once.
struct Device {
    private(set) var fine: UInt8 = 0
    private var coarse = PerWindow<UInt8?>(repeating: nil)
    /// Unix seconds; nil where nothing was told in a window.
    private var told = PerWindow<Int64?>(repeating: nil)
    private var locked = PerWindow<Int64?>(repeating: nil)
    /// What the device makes of the same updates for an ad of SKAN 3: 24 hours without one end its only window.
    private(set) var skan3: (fine: UInt8, lastUpdate: Int64) = (0, 0)

    mutating func take(_ update: ValueUpdate) {
        let window = Int(update.window.rawValue)
        if update.window == .first { take(fine: update.fine ?? fine, at: update.timestamp) }
        coarse[window] = update.coarse
        told[window] = update.timestamp
        if update.locksWindow { locked[window] = update.timestamp }
    }

    private mutating func take(fine: UInt8, at time: Int64) {
        self.fine = fine
        if skan3.lastUpdate == 0 || fine > skan3.fine && time < skan3.lastUpdate + day { skan3 = (fine, time) }
    }

    /// The time at which a window of an install ends, and the coarse value then; nil where nothing was told in it.
    func end(of window: Window, installed: Int64) -> (time: Int64, coarse: UInt8?)? {
        let place = Int(window.rawValue)
        guard told[place] != nil else { return nil }
        return (locked[place] ?? installed + window.days.upperBound * day, coarse[place])
    }
}

var day: Int64 { 86_400 }

/// Apple's postback data tier: the larger the crowd that shares a postback's features, the more it tells.
enum Tier: Int, Comparable {
    case nothing, coarse, fine, fineOfLarge

    static func < (left: Tier, right: Tier) -> Bool { left.rawValue < right.rawValue }

    /// `scale`: how large a large crowd is; Apple does not tell.
    init(crowd: Int, scale: Int) {
        let crowd = crowd / scale
        self = crowd < 4 ? .nothing : crowd < 10 ? .coarse : crowd < 30 ? .fine : .fineOfLarge
    }

    /// The number of digits of a source identifier.
    var digits: Int { max(2, rawValue + 1) }
}
