/// An app's report of a re-engagement: a user tapped an ad and thereby came back into the app.
package struct ReengagementReport: Sendable {
    let openID: [UInt8]
    let tag: [UInt8]
    let reference: [UInt8]
    let openedAt: Int64
    let isStarted: Bool
    let system: SystemVersion?

    /// Rules, "Re-engage": checks a report; throws INVALID_ARGUMENT for invalid texts and times. The tag is dropped if
    /// `isOverlapping` is false or the system does not support conversion tags.
    @_optimize(size)
    package init(
        openID: UnsafeRawBufferPointer?, tag: UnsafeRawBufferPointer?, reference: UnsafeRawBufferPointer?,
        openedAt: Int64, isStarted: Bool, isOverlapping: Bool, system: UnsafeRawBufferPointer?
    ) throws(Failure) {
        if let openID, openID.isEmpty {
            throw Failure(.invalidArgument, "open_id: expected 1 to \(Limits.eventIDBytes) bytes, got an empty text")
        }
        self.openID = try reportText(openID, "open_id", Limits.eventIDBytes)
        let tag = try reportText(tag, "tag", Limits.tagBytes)
        self.reference = try reportText(reference, "reference", Limits.referenceBytes)
        guard openedAt >= 0 else {
            throw Failure(.invalidArgument, "opened_at: expected Unix seconds, or 0 for now, got \(openedAt)")
        }
        self.openedAt = openedAt
        self.isStarted = isStarted
        self.system = system.flatMap { SystemVersion($0) }
        self.tag = isOverlapping && !self.system.isBelow(.conversionTags) ? tag : []
    }

    func start(at now: Int64) -> Int64 { openedAt == 0 || openedAt > now ? now : openedAt }
}

/// Checks a text of a report; nil means empty. Error messages do not show the text, since a tag is a secret of the
/// device.
@_optimize(size)
private func reportText(
    _ text: UnsafeRawBufferPointer?, _ name: StaticString, _ most: Int
) throws(Failure) -> [UInt8] {
    guard let text else { return [] }
    guard text.count <= most else {
        throw Failure(.invalidArgument, "\(name): expected at most \(most) bytes, got more")
    }
    guard isPlainText(text) else {
        throw Failure(.invalidArgument, "\(name): expected UTF-8 without control bytes, got other bytes")
    }
    return [UInt8](text)
}

/// Rules, "Re-engage": adds a re-engagement.
package final class Reengage: ReengagementWork {
    private let report: ReengagementReport
    package var moment = ReengagementMoment()
    /// The number of the re-engagement that was added or was known already; 0 if there is none.
    package private(set) var number: UInt32 = 0

    package init(_ report: ReengagementReport) { self.report = report }

    private var start: Int64 { report.start(at: now) }

    @_optimize(size)
    package func run(on state: inout InstallState) throws(Failure) -> Verdict {
        number = 0
        guard let model = settings.models.first else {
            throw Failure(.misuse, "reengagement_models: the engine was made without models for re-engagements")
        }
        guard !report.system.isBelow(.reengagements) else { return .unchanged(.unsupported) }
        let known = known(among: state.reengagements)
        let isRenewed = report.isStarted && renew(&state)
        var status = Status.ok
        if let known {
            number = known.number
            status = .duplicateEvent
        } else if !isInTime(among: state.reengagements) {
            status = .windowClosed
        }
        guard status == .ok else { return isRenewed ? .changed(status) : .unchanged(status) }
        take(into: &state, model)
        return .changed()
    }

    /// The kept re-engagement that this report repeats; nil if the open is new.
    @_optimize(size)
    private func known(among reengagements: [Reengagement]) -> Reengagement? {
        let newest = reengagements.newest(at: now)
        for reason in 0..<4 {
            var place = reengagements.count
            while place > 0 {
                place &-= 1
                let kept = reengagements[place]
                if isKnown(kept, isNewest: kept === newest, for: reason) { return kept }
            }
        }
        return nil
    }

    /// Whether the report repeats the open of a kept re-engagement, for one of the reasons that the rule lists.
    /// `reason`: the index of that reason in the rule, from 0.
    @_optimize(size)
    private func isKnown(_ kept: Reengagement, isNewest: Bool, for reason: Int) -> Bool {
        switch reason {
        case 0: return !report.openID.isEmpty && kept.openID == report.openID
        case 1:
            return !report.tag.isEmpty && kept.tag == report.tag
                && (kept.isActive(at: now) || kept.ended == .invalidTag)
        case 2:
            let isBare = report.openID.isEmpty && report.tag.isEmpty && report.openedAt != 0
            return isBare && kept.openID.isEmpty && !kept.hasTag && kept.start == start
        default:
            return isNewest && report.tag.isEmpty && !kept.hasTag && start >= kept.start
                && start &- kept.start < settings.cooldownSeconds
        }
    }

    /// Gives new numbers to the updates that the app's first call may have overwritten, and marks them as not
    /// delivered. Late acknowledgements of the old numbers then have no effect. Returns whether anything changed.
    @_optimize(size)
    private func renew(_ state: inout InstallState) -> Bool {
        var isChanged = false
        for kept in state.reengagements
        where kept.isActive(at: now) && (report.tag.isEmpty || kept.tag == report.tag) {
            let number = state.numberBefore(numbersFrom) &+ 1
            kept.conversion.lastUpdate?.id = number
            kept.conversion.isLastUpdateDelivered = false
            isChanged = true
        }
        return isChanged
    }

    /// Whether the tap can still begin a re-engagement: it is not too long ago, and no re-engagement with a later start
    /// excludes it.
    @_optimize(size)
    private func isInTime(among reengagements: [Reengagement]) -> Bool {
        guard let window = Window.skan4(first: start, now: now), window == .first || report.isStarted else {
            return false
        }
        var (active, later) = (0, 0)
        for kept in reengagements {
            if report.tag.isEmpty, kept.ended == nil, kept.start > start { return false }
            guard kept.isActive(at: now) else { continue }
            active &+= 1
            if kept.start > start { later &+= 1 }
        }
        return active < Limits.reengagements || later < active
    }

    /// Ends the earlier re-engagements without a tag, adds the new one, and removes one if there are too many.
    @_optimize(size)
    private func take(into state: inout InstallState, _ model: ConversionModel) {
        for kept in state.reengagements where !kept.hasTag && kept.start <= start && kept.isActive(at: now) {
            kept.ended = .superseded
        }
        number = (state.reengagements.last?.number ?? 0) &+ 1
        var conversion = Conversion(.skan4)
        conversion.first = start
        conversion.last = start
        conversion.fine = 0
        conversion.model = InstallModel(model.version)
        let new = Reengagement(
            number: number, conversion, tag: report.tag, openID: report.openID, reference: report.reference)
        // This must come before a re-engagement is removed, so that the new update gets a number above all earlier
        // ones.
        state.giveFirstUpdate(new, model, at: now, numbersFrom: numbersFrom)
        if state.reengagements.count >= Limits.reengagements {
            state.reengagements.remove(at: firstToGo(among: state.reengagements))
        }
        state.reengagements.append(new)
    }

    /// The index of the re-engagement to remove: the first one that is not active or, if all are active, the oldest.
    @_optimize(size)
    private func firstToGo(among reengagements: [Reengagement]) -> Int {
        var oldest = 0
        for place in reengagements.indices {
            guard reengagements[place].isActive(at: now) else { return place }
            if reengagements[oldest].isNewer(than: reengagements[place]) { oldest = place }
        }
        return oldest
    }
}

/// Rules, "End": the host ends a re-engagement. A re-engagement that has already ended keeps its reason.
package final class EndReengagement: ReengagementWork {
    private let number: UInt32
    package var moment = ReengagementMoment()

    /// Throws INVALID_ARGUMENT for 0, which is the install's number.
    package convenience init(number: UInt32) throws(Failure) {
        try checkReengagementNumber(number)
        self.init(checked: number)
    }

    private init(checked number: UInt32) { self.number = number }

    @_optimize(size)
    package func run(on state: inout InstallState) throws(Failure) -> Verdict {
        for kept in state.reengagements where kept.number == number {
            guard kept.ended == nil else { return .unchanged(.ok) }
            kept.ended = .host
            return .changed()
        }
        return .unchanged(.notFound)
    }
}

@_optimize(size)
func checkReengagementNumber(_ number: UInt32) throws(Failure) {
    guard number > 0 else {
        throw Failure(.invalidArgument, "number: expected the number of a re-engagement, 1 or more, got 0")
    }
}
