internal import SKANCore

/// Keys of a law, and the model of what a store must keep under them: a save gets in over the stored version only, and
/// with a version that the key never had.
struct Shelf {
    struct Place {
        let key: Key
        fileprivate(set) var record: RecordBytes = ""
        /// 0 = no record.
        fileprivate(set) var version: UInt64 = 0
        /// The versions that the key ever had.
        fileprivate(set) var given = GivenVersions()
    }

    /// A record for a place, and the version that its save expects.
    typealias Attempt = (place: Int, record: RecordBytes, expected: UInt64)

    private(set) var places: [Place]

    init(_ keys: [Key]) { places = keys.map { Place(key: $0) } }

    var keys: [Key] { places.map { $0.key } }

    /// Saves that expect any versions: those that expect the stored one get in, the others conflict.
    mutating func save(_ store: Handle, _ attempts: [Attempt]) throws(LawEnd) {
        let saves = attempts.map { Save(key: places[$0.place].key, record: $0.record, expected: $0.expected) }
        let saved = store.save(saves)
        for (index, (place, record, expected)) in attempts.enumerated() {
            if expected == places[place].version {
                try note(place, record, saved.version(at: index))
            } else {
                try saved.conflicts(at: index)
            }
        }
    }

    /// Saves records over those that are stored, at these places or at all.
    mutating func save(
        _ store: Handle, _ chosen: [Int]? = nil, _ record: (_ place: Int) -> RecordBytes
    ) throws(LawEnd) {
        try save(store, (chosen ?? [Int](places.indices)).map { ($0, record($0), places[$0].version) })
    }

    /// What was saved without the shelf.
    mutating func note(_ place: Int, _ record: RecordBytes, _ version: UInt64) throws(LawEnd) {
        if version != 0 { try places[place].given.add(version) }
        places[place].record = record
        places[place].version = version
    }

    /// A remove that expects any version: it conflicts unless that is the stored one.
    mutating func remove(_ store: Handle, _ place: Int, over expected: UInt64) throws(LawEnd) {
        let isStored = expected == places[place].version
        try store.expect(isStored ? .ok : .storeConflict, removing: places[place].key, over: expected)
        if isStored { places[place].version = 0 }
    }

    /// Removes the records that there are, at these places or at all.
    mutating func remove(_ store: Handle, _ chosen: [Int]? = nil) throws(LawEnd) {
        for place in chosen ?? [Int](places.indices) where places[place].version != 0 {
            try remove(store, place, over: places[place].version)
        }
    }

    /// Loads these places, or all: each has its record with its version, or nothing.
    func look(_ store: Handle, _ chosen: [Int]? = nil, over held: RecordBytes? = nil) throws(LawEnd) {
        let looked = chosen.map { $0.map { places[$0] } } ?? places
        let loads = store.load(looked.map { $0.key }, over: held)
        for (index, place) in looked.enumerated() { try loads.holds(at: index, place.record, place.version) }
    }
}

extension LawRun {
    /// Places without records.
    func shelf(_ count: Int) throws(LawEnd) -> Shelf { Shelf(try keys(count) { "place \($0)" }) }

    /// A few places whose keys are not in their order.
    func unsortedShelf() throws(LawEnd) -> Shelf { Shelf(try keys(5) { ["m", "z", "a", "y", "b"][$0] }) }
}

/// The versions that a store gave to one key, none of which may come twice.
struct GivenVersions {
    /// The versions in the order in which they came.
    private(set) var numbers: [UInt64] = []
    private var known = Ordered<UInt64>(by: <)

    mutating func add(_ version: UInt64) throws(LawEnd) {
        guard known.insert(version) else {
            throw .broken("version \(version) came more than once among \(numbers.count + 1) of one key")
        }
        numbers.append(version)
    }

    func contains(_ version: UInt64) -> Bool { known.contains(version) }
}
