import Testing

@testable import SKANCommandOutbox

/// The queue beside plain values: what is due first, what is known, what is forgotten where it is full.
private struct Plain {
    var isKnown = false
    var due: Int64 = 0
    var dueAgain = Int64.max
    var taken: DueEntry?

    var waits: Bool { isKnown && taken == nil }
}

private func key(_ number: Int) -> [UInt8] { Array("key-\(number)".utf8) }

private func number(_ key: [UInt8]) throws -> Int {
    try #require(Int(String(decoding: key.dropFirst(4), as: UTF8.self)))
}

private let capacity = 100

private struct Beside {
    let queue = DueQueue(capacity: capacity)
    var plain = [Plain](repeating: Plain(), count: 300)
    var chance = LinearGenerator(seed: 20)
    /// Whether all answers were those of the plain list.
    var isFine = true

    var known = 0
    var firstDue: Int64 {
        var first = Int64.max
        for entry in plain where entry.due < first && entry.waits { first = entry.due }
        return first
    }

    mutating func add() {
        let number = Int.random(in: plain.indices, using: &chance)
        let due = Int64.random(in: 0..<1000, using: &chance)
        if !plain[number].isKnown && known == capacity { return }
        isFine = isFine && queue.add(key(number), due: due, isActivated: false) == .known
        if !plain[number].isKnown {
            plain[number] = Plain(isKnown: true, due: due)
            known += 1
        } else if plain[number].taken != nil {
            plain[number].dueAgain = min(due, plain[number].dueAgain)
        } else {
            plain[number].due = min(due, plain[number].due)
        }
    }

    mutating func take() throws {
        let now = Int64.random(in: 0..<1000, using: &chance)
        let first = firstDue
        let entry = queue.takeDue(now)
        isFine = isFine && (entry != nil) == (first <= now)
        guard let entry else { return }
        let number = try number(entry.key)
        isFine = isFine && entry.due == first && plain[number].waits && plain[number].due == first
        plain[number].taken = entry
        plain[number].dueAgain = .max
    }

    mutating func settle() {
        let number = Int.random(in: plain.indices, using: &chance)
        guard let entry = plain[number].taken else { return }
        plain[number].taken = nil
        if Bool.random(using: &chance) {
            let due = Int64.random(in: 0..<1000, using: &chance)
            plain[number].due = min(due, plain[number].dueAgain)
            queue.putBack(entry, due: due)
        } else {
            plain[number].isKnown = false
            known -= 1
            queue.forget(entry)
        }
    }
}

@Test func theQueueAnswersAsAPlainListDoes() throws {
    var beside = Beside()
    for step in 0..<20_000 {
        switch Int.random(in: 0..<3, using: &beside.chance) {
        case 0: beside.add()
        case 1: try beside.take()
        default: beside.settle()
        }
        let isSame = beside.queue.count == beside.known && beside.queue.nextDue == beside.firstDue
        try #require(beside.isFine && isSame, "step \(step)")
    }
}

@Test func aFullQueueKeepsThoseThatAreDueFirst() {
    var chance = LinearGenerator(seed: 20)
    let queue = DueQueue(capacity: capacity)
    var missing = 0
    for (place, due) in (0..<1000).shuffled(using: &chance).enumerated() {
        let admission = queue.add(key(place), due: Int64(due), isActivated: true)
        if place < capacity { #expect(admission == .known) }
        if admission != .known { missing += 1 }
        #expect(queue.count <= capacity)
    }
    #expect(missing > 0)
    #expect(queue.count >= capacity / 2)
    var expected: Int64 = 0
    while let entry = queue.takeDue(.max) {
        #expect(entry.due == expected)
        #expect(entry.isActivated)
        queue.forget(entry)
        expected += 1
    }
    #expect(queue.count == 0)
    #expect(queue.add(key(1), due: 1000, isActivated: false) == .known, "an empty one takes in late ones again")
}

@Test func anEntryOnceActivatedStaysSo() throws {
    let queue = DueQueue(capacity: capacity)
    for isActivated in [false, true, false] { _ = queue.add(key(1), due: 1, isActivated: isActivated) }
    #expect(try #require(queue.takeDue(1)).isActivated)
}

/// Refused where nothing was forgotten, it would have the store searched again and again for the room that there is.
@Test func anEntryThatIsNeverDueIsKnownAsOthersAre() {
    let queue = DueQueue(capacity: capacity)
    #expect(queue.add(key(1), due: .max, isActivated: false) == .known)
    #expect(queue.count == 1)
}

/// The same numbers in every run.
struct LinearGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state ^ state >> 33
    }
}
