internal import SKANCore

/// What an item of a batch expects of its key, and so what it is answered.
enum SaveWay {
    case create, update
    case stale, insertOver, updateOfNothing, updateOfRemoved, neverGiven

    static var all: [SaveWay] { [.create, .update] + conflicting }
    static var conflicting: [SaveWay] { [.stale, .insertOver, .updateOfNothing, .updateOfRemoved, .neverGiven] }

    var isSaved: Bool { self == .create || self == .update }

    static var before: RecordBytes { "the record before" }
    static var other: RecordBytes { "a record that must not get in" }
    static func record(_ place: Int, _ round: Int) -> RecordBytes { "the record at place \(place), round \(round)" }
}

extension LawRun {
    func places(_ count: Int) throws(LawEnd) -> [Key] { try keys(count) { "place \($0)" } }

    /// Items of these ways at once: those that conflict change nothing, the others are saved.
    func save(_ store: Handle, _ ways: [SaveWay], isReopened: Bool = false) throws(LawEnd) {
        var saves: [Save] = []
        var stored: [UInt64] = []
        for (index, key) in try places(ways.count).enumerated() {
            let prepared = try store.prepare(key, ways[index], index)
            let record = ways[index].isSaved ? SaveWay.record(index, 0) : SaveWay.other
            saves.append(Save(key: key, record: record, expected: prepared.expected))
            stored.append(prepared.stored)
        }
        let saved = store.saveMany(saves)
        for (index, way) in ways.enumerated() {
            if way.isSaved { stored[index] = try saved.version(at: index) } else { try saved.conflicts(at: index) }
        }
        let reader = isReopened ? try reopen() : store
        for (index, way) in ways.enumerated() {
            let record = way.isSaved ? saves[index].record : SaveWay.before
            try reader.holds(saves[index].key, asSaved: record, stored[index])
        }
    }

    /// Creates all records, then twice updates every second and creates the others anew; all are saved.
    func savesAndLooks(_ store: Handle, _ count: Int) throws(LawEnd) {
        let keys = try places(count)
        var versions = [UInt64](repeating: 0, count: count)
        for round in 0..<3 {
            for index in stride(from: 1, to: count, by: 2) where round > 0 {
                try store.removes(keys[index], over: versions[index])
                versions[index] = 0
            }
            versions = try store.savesMany(keys, versions) { SaveWay.record($0, round) }
            for index in keys.indices { try store.holds(keys[index], SaveWay.record(index, round), versions[index]) }
        }
    }

    /// Inserts all at once; each is there.
    func keeps(_ store: Handle, _ records: [RecordBytes]) throws(LawEnd) {
        let keys = try places(records.count)
        let none = [UInt64](repeating: 0, count: records.count)
        let versions = try store.savesMany(keys, none) { records[$0] }
        for index in keys.indices { try store.holds(keys[index], records[index], versions[index]) }
    }

    /// What one of the two has done, the other finds; with a second handle, or on the same.
    func batchesSeeEachOther(_ one: Handle, _ other: Handle) throws(LawEnd) {
        let keys = try places(10)
        var versions = [UInt64](repeating: 0, count: keys.count)
        for round in 0..<8 {
            let (writer, reader) = round % 2 == 1 ? (one, other) : (other, one)
            versions = try writer.savesMany(keys, versions) { SaveWay.record($0, round) }
            let loaded = reader.loadMany(keys)
            for index in keys.indices { try loaded.holds(at: index, SaveWay.record(index, round), versions[index]) }
        }
    }
}

extension Handle {
    /// Saves all records in one call and returns their new versions.
    func savesMany(
        _ keys: [Key], _ expected: [UInt64], _ record: (_ index: Int) -> RecordBytes
    ) throws(LawEnd) -> [UInt64] {
        try saveMany(keys.indices.map { Save(key: keys[$0], record: record($0), expected: expected[$0]) }).versions()
    }

    /// Brings a key to where the item goes its way; what it expects then, and what is stored.
    func prepare(_ key: Key, _ way: SaveWay, _ index: Int) throws(LawEnd) -> (expected: UInt64, stored: UInt64) {
        try clear(key)
        switch way {
        case .create: return (0, 0)
        case .updateOfNothing: return (UInt64(index) + 1, 0)
        default: break
        }
        let first = try saves(key, SaveWay.before)
        switch way {
        case .stale: return (first, try saves(key, SaveWay.before, over: first))
        case .insertOver: return (0, first)
        case .updateOfRemoved:
            try removes(key, over: first)
            return (first, 0)
        case .neverGiven: return (neverGiven(first, index), first)
        default: return (first, first)
        }
    }

    /// A version near the stored one, in the ways stores compare numbers wrongly.
    private func neverGiven(_ version: UInt64, _ which: Int) -> UInt64 {
        let numbers: [UInt64] = [version &+ 1, version ^ 1 << 32, version ^ 1 << 63, .max]
        let number = numbers[which % 4]
        return number == 0 || number == version ? version &+ 2 : number
    }
}
