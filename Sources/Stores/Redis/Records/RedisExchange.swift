internal import CSKANSystem
internal import SKANSystem

/// How far commands and their replies came.
struct RedisProgress {
    let count: Int
    /// So many have their reply.
    var answered = 0
    /// So many were given to the system whole: of the others the server cannot know.
    var sent = 0

    init(count: Int) { self.count = count }
}

/// Writes the command of a number; takes its reply.
typealias WriteCommand = (_ index: Int, _ out: inout RedisCommands) -> Void
typealias TakeReply = (_ index: Int, _ reply: RedisReply) -> Void

/// Commands that are on their way: written together, and sent as the system takes them.
struct RedisOutbox: ~Copyable {
    private static var batch: Int { 256 }
    /// No more is added to a batch of so many bytes.
    private static var batchBytes: Int { 65_536 }

    private var commands: RedisCommands
    /// So many bytes of them were sent.
    private var offset = 0
    /// The first of them, and where each of them ends.
    private var first: Int
    private var ends: [Int] = []

    init(_ progress: RedisProgress) {
        commands = RedisCommands(capacity: 512 * min(progress.count, RedisOutbox.batchBytes / 512))
        first = progress.answered
    }

    /// The next batch, where all before has been sent.
    mutating func fill(_ count: Int, _ write: WriteCommand) {
        guard offset == commands.text.count else { return }
        first += ends.count
        ends.removeAll(keepingCapacity: true)
        commands.removeAll()
        offset = 0
        while first + ends.count < count, ends.count < RedisOutbox.batch, commands.text.count < RedisOutbox.batchBytes {
            write(first + ends.count, &commands)
            ends.append(commands.text.count)
        }
    }

    /// 0, or the errno of a connection that takes no more.
    mutating func send(_ socket: Int32, _ progress: inout RedisProgress) -> Int32 {
        let flags = Int32(MSG_NOSIGNAL | MSG_DONTWAIT)
        while offset < commands.text.count {
            let rest = Bytes(rebasing: commands.text[offset...])
            let taken = CSKANSystem.send(socket, rest.baseAddress, rest.count, flags)
            if taken < 0 {
                let error = systemError
                if error == EINTR { continue }
                return error == EAGAIN ? 0 : error
            }
            offset += taken
            while progress.sent - first < ends.count, ends[progress.sent - first] <= offset { progress.sent += 1 }
        }
        return 0
    }
}
