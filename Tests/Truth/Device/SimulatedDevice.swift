/// What a device knows of the values of one install, by Apple's article "Receiving postbacks in multiple conversion
/// windows". It decides by itself in which window an update comes.
package struct SimulatedDevice {
    private let readings: Readings
    /// Unix seconds.
    private let installed: Int64
    /// The time of the first update, at which the windows begin, Unix seconds.
    private var launched: Int64?
    private var held = [Held](repeating: Held(), count: 3)
    private var timer = ValueTimer()

    package init(installed: Int64, _ readings: Readings) {
        (self.installed, self.readings) = (installed, readings)
    }

    /// The value of window 0.
    package var fine: UInt8 { held[0].fine ?? 0 }

    /// Takes an update. `coarse`: 0 low, 1 medium, 2 high; nil: the update has no coarse value.
    package mutating func update(fine: UInt8?, coarse: UInt8?, locks: Bool = false, at time: Int64) {
        // The first update has to come within 60 days of the install.
        guard launched != nil || time <= installed + 60 * 86_400 else { return }
        let first = launched ?? time
        if launched == nil { timer.start(at: time) }
        launched = first
        if let fine { timer.update(fine, at: time) }
        guard let index = ConversionWindow.at(time - first, readings)?.index, held[index].locked == nil else { return }
        // The fine value is ignored after window 0, in which version 4 takes lower values too.
        if index == 0, let fine { held[index].fine = fine }
        // An update without a coarse value gives no coarse value.
        if coarse != nil || !readings.keepsCoarseValue { held[index].coarse = coarse }
        held[index].hasUpdate = true
        if coarse != nil { held[index].hasCoarseUpdate = true }
        // A lock ends the updates of its window.
        if locks { held[index].locked = time }
    }

    /// The postbacks of the ad that won, in the order of windows.
    package func postbacks(
        of ad: Ad, _ disclosure: Disclosure, isRedownload: Bool, _ chance: inout Chance
    ) -> [Postback] {
        guard let launched else { return [] }
        guard ad.version != .skan3 else { return [version3(ad, disclosure, isRedownload, &chance)] }
        let isOfKit = ad.version == .adAttributionKit
        return ConversionWindow.all.compactMap { window in
            guard window.index == 0 || hasLater(window, ad, disclosure, isRedownload) else { return nil }
            var postback = Postback(ad, isRedownload: isRedownload, window: window.index)
            let held = held[window.index]
            if window.index == 0 {
                // Tiers, column "index 0".
                postback.identifier = Disclosure.last(disclosure.digits, of: ad.identifier)
                postback.fine = disclosure.hasFine ? held.fine : nil
                postback.coarse = disclosure.hasCoarse ? held.coarse : nil
                if disclosure.hasSource { postback.source = ad.source }
                postback.hasMarketplace = isOfKit && disclosure.hasMarketplace
                if disclosure.hasCountry { postback.country = ad.country }
            } else {
                // Tiers, column "index 1 and 2": two digits and a coarse value, neither source nor country.
                postback.identifier = Disclosure.last(2, of: ad.identifier)
                postback.coarse = held.coarse
                postback.hasMarketplace = isOfKit
            }
            postback.time = time(of: window, launched, &chance)
            return postback
        }
    }

    /// The one postback of an ad that did not win, which has no value and no source.
    package func lostPostback(of ad: Ad, digits: Int, isRedownload: Bool, _ chance: inout Chance) -> Postback? {
        guard let launched else { return nil }
        var postback = Postback(ad, isRedownload: isRedownload, window: 0)
        postback.isWinning = false
        if ad.version == .skan3 {
            postback.time = timer.end + chance.among(0..<86_400)
        } else {
            postback.identifier = Disclosure.last(digits, of: ad.identifier)
            postback.time = time(of: ConversionWindow.first, launched, &chance)
        }
        return postback
    }

    /// A lock starts the delay at once, but never the next window.
    private func time(of window: ConversionWindow, _ launched: Int64, _ chance: inout Chance) -> Int64 {
        (held[window.index].locked ?? launched + window.end) + chance.among(window.delays)
    }

    /// Whether window 1 or 2 has a postback. The ad is not one of version 3.
    private func hasLater(
        _ window: ConversionWindow, _ ad: Ad, _ disclosure: Disclosure, _ isRedownload: Bool
    ) -> Bool {
        guard disclosure.hasLater, !isRedownload || readings.redownloadsSendLater else { return false }
        let isSilentBefore = window.index == 2 && !isEligible(1, ad)
        return isEligible(window.index, ad) && (readings.sendsAfterSilence || !isSilentBefore)
    }

    /// Whether the app made an update in a window that gives it a postback.
    private func isEligible(_ window: Int, _ ad: Ad) -> Bool {
        let takesAll = ad.version == .adAttributionKit && readings.kitSendsWithoutCoarse
        return takesAll ? held[window].hasUpdate : held[window].hasCoarseUpdate
    }

    /// The one postback of an ad of version 3: it has a fine value or none, and comes 0–24 h after the timer ends.
    private func version3(
        _ ad: Ad, _ disclosure: Disclosure, _ isRedownload: Bool, _ chance: inout Chance
    ) -> Postback {
        var postback = Postback(ad, isRedownload: isRedownload, window: 0)
        postback.identifier = ad.identifier
        if disclosure.tier >= readings.leastTierOfVersion3 {
            postback.fine = timer.fine
            // Fields: a website is a source from version 4 on.
            if case .app = ad.source { postback.source = ad.source }
        }
        postback.time = timer.end + chance.among(0..<86_400)
        return postback
    }
}

/// What a device holds of one window.
private struct Held {
    var fine: UInt8?
    var coarse: UInt8?
    var hasUpdate = false
    var hasCoarseUpdate = false
    /// Unix seconds.
    var locked: Int64?
}

/// The timer of version 3: it starts with the first update, an update to a higher value restarts it, and after 24 hours
/// without one it ends.
private struct ValueTimer {
    private(set) var fine: UInt8?
    /// Unix seconds.
    private(set) var end: Int64 = 0

    mutating func start(at time: Int64) { end = time + 86_400 }

    mutating func update(_ fine: UInt8, at time: Int64) {
        guard time < end, self.fine.map({ $0 < fine }) ?? true else { return }
        (self.fine, end) = (fine, time + 86_400)
    }
}
