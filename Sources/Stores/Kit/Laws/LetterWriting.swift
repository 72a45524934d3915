internal import SKANCore
internal import Synchronization

extension LawRun {
    /// Lets one thread write while the others read. The readers must see versions in the order of the saves, each with
    /// the bytes of its save.
    func readWhileWriting(_ store: Handle, _ count: Int) throws(LawEnd) {
        var shelf = try shelf(count)
        try shelf.save(store) { _ in Letter(0).record }
        let writing = LetterWriting(store, shelf.places, rounds: rounds, readers: threads - 1)
        let seen = try inThreads { index throws(LawEnd) in index == 0 ? try writing.write() : try writing.read() }
        for loads in seen.dropFirst() {
            for (written, loads) in zip(seen[0], loads) { try expectInOrder(loads, of: written) }
        }
    }

    /// Expects that a thread's loads of one record are in the order of the saves.
    private func expectInOrder(_ loads: [Seen], of written: [Seen]) throws(LawEnd) {
        var place = 0
        for load in loads {
            while place < written.count && written[place].version != load.version { place += 1 }
            if place == written.count {
                throw .broken("version \(load.version) was loaded after a newer one, or never given")
            }
            if written[place].letter != load.letter {
                throw .broken("version \(load.version) came with the bytes of another save")
            }
        }
    }
}

private typealias Seen = (version: UInt64, letter: Letter)

/// A record that repeats one letter. Each letter has its own number of repetitions.
private struct Letter: Equatable {
    let number: Int

    init(_ number: Int) { self.number = number }

    /// The letter of a complete record; nil if the record is a mixture or was cut.
    init?(_ record: [UInt8]) {
        guard let first = record.first, UInt8(ascii: "a")...UInt8(ascii: "z") ~= first else { return nil }
        number = Int(first - UInt8(ascii: "a"))
        if !self.record.holds(record) { return nil }
    }

    var record: RecordBytes { RecordBytes(repeating: UInt8(ascii: "a") + UInt8(number), count: 1 + number * 150) }
}

/// One thread writes letters to the keys in turn, and the others read them meanwhile. Each thread returns, for each
/// key, the letters that it wrote or read, and their versions. The writer continues until each reader has made `rounds`
/// loads, because on a busy machine it might otherwise finish before the readers start.
private final class LetterWriting: Sendable {
    private let store: Handle
    /// The keys to write and read. At the beginning, the record under each key repeats the first letter.
    private let places: [Shelf.Place]
    private let rounds: Int
    private let reading: Atomic<Int>
    private let isWritten = Atomic<Bool>(false)

    init(_ store: Handle, _ places: [Shelf.Place], rounds: Int, readers: Int) {
        self.store = store
        self.places = places
        self.rounds = rounds
        reading = Atomic(readers)
    }

    func write() throws(LawEnd) -> [[Seen]] {
        defer { isWritten.store(true, ordering: .releasing) }
        var written: [[Seen]] = places.map { [($0.version, Letter(0))] }
        var count = 0
        while count < 4 * rounds || reading.load(ordering: .acquiring) > 0 {
            let (place, letter) = (count % places.count, Letter(count * 7 % 26))
            let version = written[place][written[place].count - 1].version
            written[place].append((try store.saves(places[place].key, letter.record, over: version), letter))
            count += 1
        }
        return written
    }

    func read() throws(LawEnd) -> [[Seen]] {
        let keys = places.map { $0.key }
        var seen = [[Seen]](repeating: [], count: keys.count)
        var count = 0
        defer { if count < rounds { reading.subtract(1, ordering: .releasing) } }
        while count < rounds || (!isWritten.load(ordering: .acquiring) && count < 16 * rounds) {
            for (place, loaded) in store.load(keys).answers.enumerated() {
                guard loaded.status == .ok else { throw .broken("load: answered \(loaded.status.told)") }
                guard let letter = Letter(loaded.record) else {
                    throw .broken("a load gave \(loaded.record.count) bytes that nobody saved together")
                }
                seen[place].append((loaded.version, letter))
            }
            count += 1
            if count == rounds { reading.subtract(1, ordering: .releasing) }
        }
        return seen
    }
}
