internal import SKANCore

struct SequenceOperation {
    enum Kind { case load, save, remove, reopen, loadMany, saveMany, list }
    /// The version that the operation expects. It is looked up when the operation runs.
    enum Choice: Int { case current, noVersion, old, neverGiven }

    var kind: Kind
    var choice: Choice
    /// The number of the key, or of the first key of a batch.
    var key: Int
    var handle: Int
    /// Selects the expected version, if several are possible.
    var which: UInt32
    /// The length of the record in bytes.
    var length: Int
    var content: Int
    /// The keys of a batch as a bit mask: bit N stands for key N.
    var keys: Int

    static var keyCount: Int { 6 }

    /// The keys of a batch in order, beginning at `key` and wrapping around after the last key.
    var chosenKeys: [Int] {
        (0..<SequenceOperation.keyCount).map { (key + $0) % SequenceOperation.keyCount }.filter { keys >> $0 & 1 == 1 }
    }

    /// Returns the part of this batch operation for one key. Each key has its own expected version and content.
    func part(_ key: Int) -> SequenceOperation {
        var drawing = Drawing(seed: UInt64(content) &+ UInt64(16 &* which) &+ UInt64(key))
        var part = self
        part.key = key
        part.content = (content + key) % 5
        part.length = 1 + (length + 7 * key) % Limits.recordBytes
        if drawing.isOne(of: 3) { part.choice = Choice(rawValue: drawing.below(4)) ?? .current }
        return part
    }

    var record: RecordBytes {
        var drawing = Drawing(seed: UInt64(content))
        return RecordBytes(drawing.bytes(length))
    }
}

/// The choices and probabilities for generated sequences.
struct SequenceChances {
    let offers: OptionalCalls
    let reopens: Bool
    let hasTwoHandles: Bool

    /// Draws an operation. All versions of the kit draw the same numbers in the same order, so that a seed gives the
    /// same sequence.
    func operation(_ drawing: inout Drawing) -> SequenceOperation {
        typealias Operation = SequenceOperation
        let drawn = drawing.below(100)
        var kind: Operation.Kind = drawn < 35 ? .load : drawn < 80 ? .save : .remove
        let ofMany = drawing.below(100)
        if ofMany < 8 && offers.contains(.loadMany) { kind = .loadMany }
        if 8..<20 ~= ofMany && offers.contains(.saveMany) { kind = .saveMany }
        if ofMany == 20 && offers.contains(.list) { kind = .list }
        let keys = 1 + drawing.below(1 << Operation.keyCount - 1)
        if reopens && drawing.isOne(of: 100) { kind = .reopen }
        let chosen = drawing.below(100)
        let choice: Operation.Choice =
            chosen < 65 ? .current : chosen < 75 ? .noVersion : chosen < 93 ? .old : .neverGiven
        let key = drawing.below(Operation.keyCount)
        let handle = hasTwoHandles ? drawing.below(2) : 0
        let which = drawing.below(2) == 1 ? UInt64(drawing.below(3)) : drawing.next()
        let size = drawing.below(100)
        let length = 1 + drawing.below(size < 40 ? 8 : size < 95 ? 300 : Limits.recordBytes)
        let content = drawing.below(5)  // few, so that bytes often are equal
        return Operation(
            kind: kind, choice: choice, key: key, handle: handle, which: UInt32(truncatingIfNeeded: which),
            length: length, content: content, keys: keys)
    }
}

// MARK: As text

extension SequenceOperation {
    func told(hasTwoHandles: Bool) -> Message {
        let handle: Message = hasTwoHandles ? " through handle \(handle + 1)" : ""
        switch kind {
        case .reopen: return "reopen"
        case .load: return "load key \(key)\(handle)"
        case .save: return "save key \(key)\(handle), \(saved), expecting \(choice.told)"
        case .remove: return "remove key \(key)\(handle), expecting \(choice.told)"
        case .list: return "list\(handle)"
        case .loadMany: return "load_many\(handle)\(parts { _ in "" })"
        case .saveMany: return "save_many\(handle)\(parts { ", \($0.saved), expecting \($0.choice.told)" })"
        }
    }

    private var saved: Message { "\(length) bytes of sort \(content)" }

    private func parts(_ told: (SequenceOperation) -> Message) -> Message {
        var text: Message = ""
        for key in chosenKeys {
            let separator: Message = text.utf8.isEmpty ? "" : ";"
            text = "\(text)\(separator) key \(key)\(told(part(key)))"
        }
        return text
    }
}

extension SequenceOperation.Choice {
    fileprivate var told: Message {
        switch self {
        case .current: "the current version"
        case .noVersion: "version 0"
        case .old: "an old version"
        case .neverGiven: "a version never given"
        }
    }
}
