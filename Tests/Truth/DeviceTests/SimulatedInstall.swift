import SKANSimulatedDevice

let hour: Int64 = 3600
let installed: Int64 = 1_760_000_000

/// An install, its device and the ad that brought it.
struct SimulatedInstall {
    var readings = Readings()
    var ad = Ad(.skan4, network: 0, identifier: 5239, source: .app(0), country: 0)
    var disclosure = Disclosure(.three, digits: 4, country: .three)
    var isRedownload = false
    /// Each time is in seconds after the install.
    var updates: [(time: Int64, fine: UInt8?, coarse: UInt8?, locks: Bool)] = []

    /// Updates of all windows.
    static var updated: SimulatedInstall {
        var install = SimulatedInstall()
        install.updates = [(0, 0, 0, false), (60 * hour, nil, 1, false), (200 * hour, nil, 2, false)]
        return install
    }

    var device: SimulatedDevice {
        var device = SimulatedDevice(installed: installed, readings)
        for update in updates {
            device.update(fine: update.fine, coarse: update.coarse, locks: update.locks, at: installed + update.time)
        }
        return device
    }

    func postbacks(seed: UInt64 = 1) -> [Postback] {
        var chance = Chance(seed: seed)
        return device.postbacks(of: ad, disclosure, isRedownload: isRedownload, &chance)
    }

    func lostPostback() -> Postback? {
        var chance = Chance(seed: 1)
        return device.lostPostback(of: ad, digits: 3, isRedownload: isRedownload, &chance)
    }

    /// The hours after the install, rounded down, in which a thousand devices send a postback.
    func hours(window: Int) -> ClosedRange<Int64>? {
        let times = (0..<1000).flatMap { seed in
            postbacks(seed: seed).filter { $0.window == window }.map { ($0.time - installed) / hour }
        }
        guard let first = times.min(), let last = times.max() else { return nil }
        return first...last
    }
}
