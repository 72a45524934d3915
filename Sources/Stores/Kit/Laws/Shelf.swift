internal import SKANCore

/// Keys of a law, and a model of what the store must hold under them. A save succeeds only if it expects the stored
/// version, and the new version must be one that the key never had.
struct Shelf {
    struct Place {
        let key: Key
        fileprivate(set) var record: RecordBytes = ""
        /// The stored version; 0 if there is no record.
        fileprivate(set) var version: UInt64 = 0
        fileprivate(set) var given = GivenVersions()
    }

    typealias Attempt = (place: Int, record: RecordBytes, expected: UInt64)

    private(set) var places: [Place]

    init(_ keys: [Key]) { places = keys.map { Place(key: $0) } }

    var keys: [Key] { places.map { $0.key } }

    /// Makes saves, whatever versions they expect. The saves that expect the stored version must succeed, the others
    /// must conflict.
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

    /// Saves at the `chosen` places, or at all places if nil. Each save expects the stored version.
    mutating func save(
        _ store: Handle, _ chosen: [Int]? = nil, _ record: (_ place: Int) -> RecordBytes
    ) throws(LawEnd) {
        try save(store, (chosen ?? [Int](places.indices)).map { ($0, record($0), places[$0].version) })
    }

    /// Notes a save that was made without the shelf.
    mutating func note(_ place: Int, _ record: RecordBytes, _ version: UInt64) throws(LawEnd) {
        if version != 0 { try places[place].given.add(version) }
        places[place].record = record
        places[place].version = version
    }

    /// Makes a remove that expects the version `expected`. It must conflict unless that is the stored version.
    mutating func remove(_ store: Handle, _ place: Int, over expected: UInt64) throws(LawEnd) {
        let isStored = expected == places[place].version
        try store.expect(isStored ? .ok : .storeConflict, removing: places[place].key, over: expected)
        if isStored { places[place].version = 0 }
    }

    /// Removes the records at the `chosen` places, or at all places if nil.
    mutating func remove(_ store: Handle, _ chosen: [Int]? = nil) throws(LawEnd) {
        for place in chosen ?? [Int](places.indices) where places[place].version != 0 {
            try remove(store, place, over: places[place].version)
        }
    }

    /// Loads the `chosen` places, or all places if nil. Each place must have the record and version that the model has,
    /// or no record. If `held` is given, the buffers contain it before the loads.
    func look(_ store: Handle, _ chosen: [Int]? = nil, over held: RecordBytes? = nil) throws(LawEnd) {
        let looked = chosen.map { $0.map { places[$0] } } ?? places
        let loads = store.load(looked.map { $0.key }, over: held)
        for (index, place) in looked.enumerated() { try loads.holds(at: index, place.record, place.version) }
    }
}

extension LawRun {
    /// A shelf of places without records.
    func shelf(_ count: Int) throws(LawEnd) -> Shelf { Shelf(try keys(count) { "place \($0)" }) }

    /// A shelf of five places whose keys are not sorted.
    func unsortedShelf() throws(LawEnd) -> Shelf { Shelf(try keys(5) { ["m", "z", "a", "y", "b"][$0] }) }
}

/// The versions that a store has given to one key. None may be given twice.
struct GivenVersions {
    /// The versions, in the order in which they were given.
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
