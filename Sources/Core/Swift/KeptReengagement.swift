internal import SKANCore

/// A re-engagement of an install. Rules, "Re-engagement state", "Re-engagement details".
public struct Reengagement: Hashable, Sendable {
    /// The reason why a re-engagement ended.
    public enum End: String, Sendable {
        case superseded
        case host
        case invalidTag = "invalid tag"
        case tagNotSupported = "tag not supported"
    }

    /// Exact sums of revenue in the model's currency, as decimals of up to 24 places.
    public struct Sums: Hashable, Sendable {
        public let iap: String
        public let ad: String
    }

    /// Revenue since the tap, and in the window.
    public struct Revenue: Hashable, Sendable {
        public let conversion: Sums
        public let window: Sums
    }

    /// The re-engagement's number, from 1; a number is never used twice.
    public let number: UInt32
    /// The conversion tag, a secret of the device: keep it out of logs. nil = none.
    public let tag: String?
    public let openID: String?
    public let reference: String?
    /// The time of the tap, Unix seconds.
    public let start: Int64
    /// The reason why the re-engagement ended; nil = it has not ended.
    public let ended: End?
    /// The version of the re-engagement's conversion model.
    public let model: String
    /// The postback window of ``sessions``, ``events`` and the window's revenue: 0, 1 or 2.
    public let window: Int
    /// The number of sessions in this window.
    public let sessions: Int
    /// The number of events in this window, by name.
    public let events: [String: Int]
    public let revenue: Revenue
    /// The fine value, 0...63.
    public let fineValue: Int
    /// The coarse value of each window; nil = none.
    public let coarseValue: [CoarseValue?]
    /// The time at which each window was locked, Unix seconds; nil = not locked.
    public let windowLock: [Int64?]
    /// The last update; nil = none yet.
    public let update: Update?
    /// Whether the last update was delivered.
    public let delivered: Bool
}

extension Reengagement {
    init(_ kept: SKANCore.Reengagement) {
        let (conversion, open) = (kept.conversion, kept.window)
        number = kept.number
        tag = text(kept.tag)
        openID = text(kept.openID)
        reference = text(kept.reference)
        start = kept.start
        ended = kept.ended.flatMap { End(rawValue: $0.name.description) }
        model = conversion.model.map { model in String { model.version.write(to: &$0) } } ?? ""
        window = Int(open.rawValue)
        sessions = Int(conversion.model?.count(0, in: open) ?? 0)
        var events: [String: Int] = [:]
        kept.counted.forEach { place, name in
            events[String(decoding: name, as: UTF8.self)] = Int(conversion.model?.count(place, in: open) ?? 0)
        }
        self.events = events
        revenue = Revenue(conversion: Sums(kept.sums, ofWindow: false), window: Sums(kept.sums, ofWindow: true))
        fineValue = Int(conversion.fine ?? 0)
        coarseValue = Window.all.map { each in
            conversion.windows[each].coarse.flatMap { CoarseValue(rawValue: Int($0)) }
        }
        windowLock = Window.all.map { conversion.windows[$0].lock }
        update = conversion.lastUpdate.map { Update($0) }
        delivered = conversion.isLastUpdateDelivered
    }
}

extension Reengagement.Sums {
    fileprivate init(_ sums: ReengagementSums, ofWindow: Bool) {
        func text(_ kind: SKANCore.RevenueKind) -> String {
            var decimal = ByteBuffer(capacity: 64)
            sums.sum(kind, ofWindow: ofWindow).write(to: &decimal)
            return String(decimal)
        }
        self.init(iap: text(.iap), ad: text(.ad))
    }
}

private func text(_ bytes: [UInt8]) -> String? { bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self) }
