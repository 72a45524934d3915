import Glibc
import SKANCore
import SKANSystem
import Synchronization
import Testing

@testable import SKANStoreLaws

/// A store that breaks the store contract in one way, and the law that must find it out. What is not changed is right.
struct Mutant: Sendable, CustomTestStringConvertible {
    typealias Loading = @Sendable (MutantHandle, Load) -> Loaded
    typealias Writing = @Sendable (MutantHandle, Saving) -> Written
    typealias Removing = @Sendable (MutantHandle, _ key: [UInt8], _ expected: UInt64) -> Status
    typealias LoadingMany = @Sendable (MutantHandle, [Load]) -> [Loaded]
    typealias WritingMany = @Sendable (MutantHandle, [Saving]) -> [Written]
    typealias Listing = @Sendable (MutantHandle, _ cursor: [UInt8]) -> Listed
    typealias PrefixListing = @Sendable (MutantHandle, _ prefix: [UInt8], _ cursor: [UInt8]) -> Listed

    let flaw: String
    let law: String
    var load: Loading = { $0.right.load($1.key) }
    var save: Writing = { $0.save($1, over: $1.expected) }
    var remove: Removing = { $0.right.remove($1, over: $2) }
    /// Many records are loaded and saved by the mutant's own load and save, one by one.
    var loadMany: LoadingMany = { store, loads in loads.map(store.load) }
    var saveMany: WritingMany = { store, saves in saves.map(store.save) }
    var list: Listing = { $0.right.list(after: $1) }
    var listWithPrefix: PrefixListing = { $0.right.list(withPrefix: $1, after: $2) }
    var closed: @Sendable (MutantRun) -> Void = { _ in }
    var reopened: @Sendable (MutantRun) -> Void = { _ in }
    var offers: OptionalCalls = [.loadMany, .saveMany, .list, .listWithPrefix]
    var mostHandles = Int.max

    init(_ flaw: String, breaks law: String = "", _ change: (inout Mutant) -> Void) {
        self.flaw = flaw
        self.law = law
        change(&self)
    }

    var testDescription: String { flaw }

    // MARK: Of one wrong call

    static func load(_ flaw: String, breaks law: String, _ load: @escaping Loading) -> Mutant {
        Mutant(flaw, breaks: law) { $0.load = load }
    }
    static func save(_ flaw: String, breaks law: String, _ save: @escaping Writing) -> Mutant {
        Mutant(flaw, breaks: law) { $0.save = save }
    }
    static func remove(_ flaw: String, breaks law: String, _ remove: @escaping Removing) -> Mutant {
        Mutant(flaw, breaks: law) { $0.remove = remove }
    }
    static func loadMany(_ flaw: String, breaks law: String, _ loadMany: @escaping LoadingMany) -> Mutant {
        Mutant(flaw, breaks: law) { $0.loadMany = loadMany }
    }
    static func saveMany(_ flaw: String, breaks law: String, _ saveMany: @escaping WritingMany) -> Mutant {
        Mutant(flaw, breaks: law) { $0.saveMany = saveMany }
    }
    static func list(_ flaw: String, breaks law: String, _ list: @escaping Listing) -> Mutant {
        Mutant(flaw, breaks: law) { $0.list = list }
    }
    static func listWithPrefix(_ flaw: String, breaks law: String, _ list: @escaping PrefixListing) -> Mutant {
        Mutant(flaw, breaks: law) { $0.listWithPrefix = list }
    }
}

struct Load: Sendable {
    let key: [UInt8]
    /// What the buffer holds that the record shall replace.
    var held: [UInt8]?
}

struct Saving: Sendable {
    var key: [UInt8]
    var record: [UInt8]
    var expected: UInt64
    let lent: Lent
}

/// The memory that a call lends.
struct Lent: @unchecked Sendable {
    let key: UnsafePointer<CChar>
    let record: Bytes
}

/// What a mutant remembers of its calls.
struct Memory: Sendable {
    var number: UInt64 = 0
    var key: [UInt8] = []
    var cache = Records()
    /// The memory that was lent, with the version that was given for it.
    var lent: (memory: Lent, version: UInt64)?

    mutating func count() -> UInt64 {
        number += 1
        return number
    }
}

/// A mutant's memory, for any thread.
final class Remembering: Sendable {
    private let memory = Mutex(Memory())

    var now: Memory { change { $0 } }
    @discardableResult
    func change<Output: Sendable>(_ body: (inout Memory) -> Output) -> Output { memory.withLock { body(&$0) } }
}

final class Lock: Sendable {
    private let mutex = Mutex(())

    func hold<Output: Sendable>(_ body: () -> Output) -> Output { mutex.withLock { _ in body() } }
    /// Nil where another thread holds it.
    func holdIfFree<Output: Sendable>(_ body: () -> Output) -> Output? { mutex.withLockIfAvailable { _ in body() } }
}

/// What the handles of a run share.
final class MutantRun: StoreUnderTestOpener, Sendable {
    let mutant: Mutant
    let right = RightStore()
    let memory = Remembering()
    let locks = (Lock(), Lock())
    private let handles = Mutex((opened: 0, open: 0))

    init(_ mutant: Mutant) { self.mutant = mutant }

    var openHandles: Int { handles.withLock { $0.open } }

    func open() throws(LawEnd) -> any StoreUnderTest {
        let number = handles.withLock { handles in
            handles.opened += 1
            handles.open += 1
            return handles.opened
        }
        guard openHandles <= mutant.mostHandles else { throw .broken("there are no more handles") }
        return MutantHandle(self, number: number)
    }

    func close() {
        handles.withLock { $0.open -= 1 }
        mutant.closed(self)
    }

    func reopen() -> Status {
        guard openHandles == 0 else { return .misuse }
        mutant.reopened(self)
        return .ok
    }
}

/// A handle of a mutant, as laws call it.
final class MutantHandle: StoreUnderTest {
    let run: MutantRun
    /// The number of the handle, from 1, in the order in which they were opened.
    let number: Int
    let own = Remembering()
    let ownLock = Lock()

    init(_ run: MutantRun, number: Int) {
        self.run = run
        self.number = number
    }

    var right: RightStore { run.right }
    var shared: Remembering { run.memory }
    var offers: OptionalCalls { run.mutant.offers }

    func load(_ load: Load) -> Loaded { run.mutant.load(self, load) }
    func save(_ saving: Saving) -> Written { run.mutant.save(self, saving) }
    /// Rightly, over this version.
    func save(_ saving: Saving, over expected: UInt64) -> Written {
        right.save(saving.key, saving.record, over: expected)
    }
    func close() { run.close() }

    func load(_ keys: [UnsafePointer<CChar>], over held: Bytes?) -> [Loaded] { keys.map { load(Load($0, held)) } }
    func save(_ key: UnsafePointer<CChar>, _ record: Bytes, expected: UInt64) -> Written {
        save(Saving(key, record, expected))
    }
    func remove(_ key: UnsafePointer<CChar>, expected: UInt64) -> Status {
        run.mutant.remove(self, bytes(of: key), expected)
    }
    func loadMany(_ keys: [UnsafePointer<CChar>], over held: Bytes?) -> [Loaded] {
        run.mutant.loadMany(self, keys.map { Load($0, held) })
    }
    func saveMany(_ saves: [LentSave]) -> [Written] {
        run.mutant.saveMany(self, saves.map { Saving($0.key, $0.record, $0.expected) })
    }
    func list(withPrefix prefix: UnsafePointer<CChar>?, after cursor: Bytes) -> Listed {
        guard let prefix else { return run.mutant.list(self, [UInt8](cursor)) }
        return run.mutant.listWithPrefix(self, bytes(of: prefix), [UInt8](cursor))
    }
}

extension Load {
    fileprivate init(_ key: UnsafePointer<CChar>, _ held: Bytes?) {
        self.init(key: bytes(of: key), held: held.map { [UInt8]($0) })
    }
}

extension Saving {
    fileprivate init(_ key: UnsafePointer<CChar>, _ record: Bytes, _ expected: UInt64) {
        self.init(
            key: bytes(of: key), record: [UInt8](record), expected: expected, lent: Lent(key: key, record: record))
    }
}

func bytes(of key: UnsafePointer<CChar>) -> [UInt8] { [UInt8](Bytes(start: key, count: strlen(key))) }

/// Waits for a moment, for mutants that are wrong only in the time between two steps: long enough that another thread
/// comes in between on a busy machine too.
func passAMoment() { usleep(1000) }
