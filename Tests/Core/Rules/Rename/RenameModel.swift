import SKANCore

/// Hosts that rename, count and forget on one store, each a step of the store at a time. A host may stop for ever after
/// any step, as one does that is killed.
struct RenameModel: Hashable {
    /// The install ids.
    static let old = 0
    static let new = 1
    static let third = 2

    /// What a record holds: one bit for the install that was there at first, and one for each amount.
    struct Content: Hashable {
        var bits: UInt8 = 0
        static var install: UInt8 { 1 }
    }

    struct Record: Hashable {
        var version: UInt8
        var content: Content
        var stage: UInt8 = 0
        var other = -1

        var mark: RenameMark? {
            RenameMark.Stage(rawValue: stage).map { RenameMark($0, id(other)) }
        }
    }

    enum Call: Hashable {
        case rename(Int, Int)
        case count(Int, bit: UInt8)
        case forget(Int)
    }

    private(set) var store: [Record?]
    private(set) var hosts: [Host]
    /// The amounts whose calls have answered OK.
    fileprivate(set) var counted: UInt8 = 0
    private var lastVersion: UInt8

    /// The install is under `old`; where `others` says so, there are others, whose bits are 128 and 64.
    init(_ calls: [Call], others: [Int] = []) {
        store = [Record(version: 1, content: Content(bits: Content.install)), nil, nil]
        lastVersion = 1
        for (index, key) in others.enumerated() {
            lastVersion += 1
            store[key] = Record(version: lastVersion, content: Content(bits: 128 >> UInt8(index)))
        }
        hosts = calls.map { Host($0) }
    }

    /// Lets a host make its next step.
    mutating func step(_ index: Int) {
        var host = hosts[index]
        host.step(&self)
        hosts[index] = host
        for index in hosts.indices { hosts[index].forgetWhatIsOver(store.map { $0?.version ?? 0 }) }
        relabel()
    }

    /// Makes a call with nobody else there, and returns how it ended.
    mutating func alone(_ call: Call) -> Status? {
        var host = Host(call)
        var steps = 0
        while host.status == nil, steps < 100 {
            host.step(&self)
            steps += 1
        }
        return host.status
    }

    mutating func save(_ key: Int, _ record: Record?, expected: UInt8) -> Bool {
        guard store[key]?.version ?? 0 == expected else { return false }
        guard var record else {
            store[key] = nil
            return true
        }
        lastVersion += 1
        record.version = lastVersion
        store[key] = record
        return true
    }

    /// Numbers the versions that somebody still knows from 1 on: only whether two are equal matters.
    private mutating func relabel() {
        var known: [UInt8: UInt8] = [0: 0]
        func label(_ version: inout UInt8) {
            let label = known[version] ?? UInt8(known.count)
            known[version] = label
            version = label
        }
        for key in store.indices { if store[key] != nil { label(&store[key]!.version) } }
        for index in hosts.indices { hosts[index].relabel(label) }
        lastVersion = UInt8(known.count)
    }
}

private func id(_ key: Int) -> [UInt8] { [UInt8(truncatingIfNeeded: key)] }
private func key(_ id: [UInt8]) -> Int { Int(id.first ?? 0) }

/// A host that makes one call: it carries out steps as `Renaming` and `SingleInstall` do.
struct Host: Hashable {
    private enum Phase: Hashable {
        case loadOwn, saveOwn
        case loadNew, loadOld
        case write(RenameWrite)
    }

    private struct OpenRename: Hashable {
        var goal: UInt8
        var old, new: Int
        var progress = RenameProgress()
    }

    private let call: RenameModel.Call
    private var ended: Int32?
    private var phase: Phase
    private var renames: [OpenRename] = []
    private var own, new, old: RenameModel.Record?

    private(set) var status: Status? {
        get { ended.map { Status(rawValue: $0) } }
        set { ended = newValue?.rawValue }
    }

    init(_ call: RenameModel.Call) {
        self.call = call
        phase = .loadOwn
        guard case .rename(let old, let new) = call else { return }
        renames = [OpenRename(goal: 0, old: old, new: new)]
        phase = .loadNew
    }

    mutating func step(_ model: inout RenameModel) {
        if status != nil { return }
        switch phase {
        case .loadOwn: loadOwn(&model)
        case .saveOwn: saveOwn(&model)
        case .loadNew:
            new = renames.last.flatMap { model.store[$0.new] }
            phase = .loadOld
        case .loadOld:
            old = renames.last.flatMap { model.store[$0.old] }
            decide()
        case .write(let write): carryOut(write, &model)
        }
        if phase == .loadNew { (new, old) = (nil, nil) }
        if phase != .saveOwn { own = nil }
    }

    /// Makes states equal that differ only in what has no effect any more. No version comes again, so a save that
    /// expects a version that is gone will be a conflict, and a version that was copied and is gone will not be found.
    mutating func forgetWhatIsOver(_ versions: [UInt8]) {
        if status != nil { (own, new, old, renames) = (nil, nil, nil, []) }
        for index in renames.indices {
            let version = UInt64(versions[renames[index].old])
            if renames[index].progress.copied != version { renames[index].progress.copied = 0 }
            if renames[index].progress.moved != version { renames[index].progress.moved = 0 }
            if renames[index].goal == 0 { continue }
            renames[index].progress.hasBegun = false
            renames[index].progress.hasMoved = false
        }
        if case .write(let write) = phase, let rename = renames.last {
            let (key, expected) = write.isAtNew ? (rename.new, new) : (rename.old, old)
            guard let expected, expected.version != versions[key] else { return }
            phase = .loadNew
            (new, old) = (nil, nil)
        } else if phase == .saveOwn, let expected = own, expected.version != versions[ownKey] {
            phase = .loadOwn
            own = nil
        }
    }

    private var ownKey: Int {
        switch call {
        case .count(let key, _), .forget(let key), .rename(let key, _): key
        }
    }

    mutating func relabel(_ label: (inout UInt8) -> Void) {
        if own != nil { label(&own!.version) }
        if new != nil { label(&new!.version) }
        if old != nil { label(&old!.version) }
        for index in renames.indices {
            for path in [\RenameProgress.copied, \.moved] {
                var version = UInt8(renames[index].progress[keyPath: path])
                label(&version)
                renames[index].progress[keyPath: path] = UInt64(version)
            }
        }
    }

    // MARK: Counting and forgetting

    private mutating func loadOwn(_ model: inout RenameModel) {
        switch call {
        case .count(let key, let bit):
            own = model.store[key]
            if let mark = own?.mark, !mark.counts { return settle(mark, key, .settle) }
            if bit == 0 { status = .ok } else { phase = .saveOwn }
        case .forget(let key):
            own = model.store[key]
            guard let own else { return status = .ok }
            if let mark = own.mark { return settle(mark, key, mark.stage == .moving ? .erase : .settle) }
            phase = .saveOwn
        case .rename: break
        }
    }

    private mutating func saveOwn(_ model: inout RenameModel) {
        phase = .loadOwn
        switch call {
        case .count(let key, let bit):
            var record = own ?? RenameModel.Record(version: 0, content: RenameModel.Content())
            record.content.bits |= bit
            guard model.save(key, record, expected: own?.version ?? 0) else { return }
            model.noteCounted(bit)
            status = .ok
        case .forget(let key):
            if model.save(key, nil, expected: own?.version ?? 0) { status = .ok }
        case .rename: break
        }
    }

    private mutating func settle(_ mark: RenameMark, _ own: Int, _ goal: RenameGoal) {
        let pair = mark.rename(of: id(own))
        renames = [OpenRename(goal: goal == .erase ? 2 : 1, old: key(pair.old), new: key(pair.new))]
        phase = .loadNew
    }

    // MARK: Renaming

    private mutating func decide() {
        guard var rename = renames.last else { return }
        let pair = RenamePair(old: id(rename.old), new: id(rename.new))
        let goal: RenameGoal = rename.goal == 0 ? .rename : rename.goal == 1 ? .settle : .erase
        let step = pair.step(goal, rename.progress, new: seen(new), old: seen(old))
        rename.progress.note(step, old: seen(old))
        renames[renames.count - 1] = rename
        switch step {
        case .first(let pair):
            renames.append(OpenRename(goal: 1, old: key(pair.old), new: key(pair.new)))
            phase = .loadNew
        case .look: phase = .loadNew
        case .over(let status): end(status)
        default: phase = .write(RenameWrite(step))
        }
    }

    private mutating func end(_ status: Status) {
        renames.removeLast()
        phase = .loadNew
        guard renames.isEmpty else { return }
        if case .rename = call { self.status = status } else { phase = .loadOwn }
    }

    private mutating func carryOut(_ write: RenameWrite, _ model: inout RenameModel) {
        guard let rename = renames.last else { return }
        phase = .loadNew
        let (place, expected) = write.isAtNew ? (rename.new, new) : (rename.old, old)
        let record = write.record(new: new, old: old, rename.new, rename.old)
        guard model.save(place, record, expected: expected?.version ?? 0) else { return }
        let next = renames[renames.count - 1].progress.applied(write.step, old: seen(old))
        if let next { phase = .write(RenameWrite(next)) }
        if write == .end, renames.count == 1, rename.goal == 0, renames[0].progress.hasMoved { end(.ok) }
    }

    private func seen(_ record: RenameModel.Record?) -> SeenRecord {
        SeenRecord(version: UInt64(record?.version ?? 0), mark: record?.mark)
    }
}

extension RenameModel {
    fileprivate mutating func noteCounted(_ bit: UInt8) { counted |= bit }
}

/// The steps of a rename that change a record.
private enum RenameWrite: Hashable {
    case begin, copy, commit, arrive, removeOld, removeNew, giveUp, end

    init(_ step: RenameStep) {
        switch step {
        case .begin: self = .begin
        case .copy: self = .copy
        case .commit: self = .commit
        case .arrive: self = .arrive
        case .removeOld: self = .removeOld
        case .removeNew: self = .removeNew
        case .giveUp: self = .giveUp
        case .end, .look, .first, .over: self = .end
        }
    }

    var step: RenameStep {
        switch self {
        case .begin: .begin
        case .copy: .copy
        case .commit: .commit
        case .arrive: .arrive
        case .removeOld: .removeOld
        case .removeNew: .removeNew
        case .giveUp: .giveUp
        case .end: .end
        }
    }

    var isAtNew: Bool { self == .copy || self == .arrive || self == .removeNew || self == .end }

    /// The record that the step saves; nil if it removes one.
    func record(
        new: RenameModel.Record?, old: RenameModel.Record?, _ newKey: Int, _ oldKey: Int
    ) -> RenameModel.Record? {
        var record = self == .arrive || self == .end ? new : old
        let mark: (stage: RenameMark.Stage, other: Int)? =
            switch self {
            case .begin: (.moving, newKey)
            case .commit: (.moved, newKey)
            case .copy: (.arriving, oldKey)
            case .arrive: (.arrived, oldKey)
            default: nil
            }
        record?.stage = mark?.stage.rawValue ?? 0
        record?.other = mark?.other ?? -1
        if self == .commit { record?.content = RenameModel.Content() }
        return self == .removeOld || self == .removeNew ? nil : record
    }
}
