internal import SKANCore
internal import SKANSystem

/// Writes the command of a number.
typealias WriteCommand = (_ number: Int, _ out: inout RedisCommands) -> Void

/// Commands that are on their way: written together, and sent as the system takes them.
struct RedisOutbox: ~Copyable {
    private static var batch: Int { 256 }
    /// The size in bytes from which on nothing is added to a batch.
    private static var batchBytes: Int { 65_536 }

    private var commands: RedisCommands
    /// So many bytes of them were sent.
    private var offset = 0
    /// The first of them, and where each of them ends.
    private var first = 0
    private var ends: [Int] = []

    init(count: Int) {
        commands = RedisCommands(capacity: 512 * min(count, RedisOutbox.batchBytes / 512))
    }

    /// Writes the next batch of so many commands in all, where all before has been sent.
    mutating func fill(_ count: Int, _ write: WriteCommand) {
        guard offset == commands.count else { return }
        first += ends.count
        ends.removeAll(keepingCapacity: true)
        commands.removeAll()
        offset = 0
        while first + ends.count < count, ends.count < RedisOutbox.batch, commands.count < RedisOutbox.batchBytes {
            write(first + ends.count, &commands)
            ends.append(commands.count)
        }
    }

    /// Counts in `sent` what the system has taken whole; answers why a connection takes no more.
    mutating func send(_ stream: RedisStream, _ sent: inout Int) -> Message? {
        while offset < commands.count {
            let start = offset
            switch commands.withText({ stream.send(Bytes(rebasing: $0[start...])) }) {
            case .bytes(let taken): offset += taken
            case .again: return nil
            case .ended: return "the server ended it"
            case .failed(let words): return words
            }
            while sent - first < ends.count, ends[sent - first] <= offset { sent += 1 }
        }
        return nil
    }
}
