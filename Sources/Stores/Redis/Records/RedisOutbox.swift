internal import SKANCore
internal import SKANSystem

/// Writes a command, given its number.
typealias WriteCommand = (_ number: Int, _ out: inout RedisCommands) -> Void

/// Commands that are written in batches and sent as the system accepts them.
struct RedisOutbox: ~Copyable {
    private static var batch: Int { 256 }
    /// The size in bytes at which a batch is full.
    private static var batchBytes: Int { 65_536 }

    private var commands: RedisCommands
    /// The number of bytes of the batch that were sent.
    private var offset = 0
    /// The number of the first command in the batch.
    private var first = 0
    /// For each command of the batch, the offset in the batch at which the command ends.
    private var ends: [Int] = []

    init(count: Int) {
        commands = RedisCommands(capacity: 512 * min(count, RedisOutbox.batchBytes / 512))
    }

    /// Writes the next batch of commands, if the last batch was sent. `count` is the number of all commands.
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

    /// Sends bytes, and adds to `sent` the commands that the system has accepted completely. If the connection accepts
    /// no more, returns the reason.
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
