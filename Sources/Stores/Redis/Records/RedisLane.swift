internal import CSKANSystem
internal import SKANCore
internal import SKANSystem

/// Receives the reply to the command with this number.
typealias TakeReply = (_ lane: RedisLane, _ number: Int, _ reply: RedisReply) -> Void
/// Called with the number of a command that got no reply. `mayBeDone` says whether the server may have carried it out.
typealias LoseCommand = (_ number: Int, _ mayBeDone: Bool, _ trouble: RedisTrouble) -> Void

/// Commands that are sent on one connection, and their replies.
final class RedisLane {
    let wire: RedisWire
    /// The numbers of the commands, in the order of sending.
    let numbers: [Int]
    /// The number of commands that have their reply.
    private(set) var answered = 0
    /// The number of commands that the system has taken completely. The server cannot carry out any others.
    private(set) var sent = 0
    /// The connection's error; once it is not nil, the connection cannot be used any more.
    private(set) var trouble: RedisTrouble?
    private var outbox: RedisOutbox
    private var sendError: Message?
    fileprivate var hasSendError: Bool { sendError != nil }

    init(_ wire: RedisWire, _ numbers: [Int]) {
        self.wire = wire
        self.numbers = numbers
        outbox = RedisOutbox(count: numbers.count)
    }

    var isOver: Bool { trouble != nil || answered == numbers.count }

    func fail(_ trouble: RedisTrouble) { self.trouble = trouble }

    /// Sends as many bytes as the connection accepts. Returns the events to wait for, as for `poll`.
    fileprivate func send(_ write: WriteCommand) -> Int32 {
        guard let stream = wire.stream else {
            fail(RedisTrouble("it is not connected"))
            return 0
        }
        if sendError == nil {
            outbox.fill(numbers.count) { index, out in write(numbers[index], &out) }
            sendError = outbox.send(stream, &sent)
        }
        // A connection that accepts no more bytes may still hold replies, and the reason why the server closed it.
        return sendError == nil && sent < numbers.count ? POLLIN | POLLOUT : POLLIN
    }

    /// Receives replies. If the server sent more than the replies to these commands, closes the connection, because the
    /// rest would be taken for replies to the next commands.
    fileprivate func receive(_ events: Int32, until deadline: Int64, _ take: TakeReply) {
        var end = RedisWire.End.none
        if events & ~POLLOUT != 0 {
            do throws(RedisTrouble) {
                end = try wire.receive(sent - answered, until: deadline) { reply in
                    take(self, numbers[answered], reply)
                    answered += 1
                }
            } catch {
                return fail(error)
            }
        }
        let isAhead = answered > 0 && answered == sent && wire.unread > 0
        if answered == numbers.count {
            if isAhead { wire.close() }
        } else if isAhead {
            fail(RedisWire.tooManyAnswers)
        } else if case .failed(let words) = end {
            fail(wire.lost(words))
        } else if case .ended = end {
            fail(wire.lost(sendError))
        } else if sendError != nil && events == 0 {
            fail(wire.lost(sendError))
        }
    }
}

extension RedisLane {
    /// The time without an event, in milliseconds, after which `ifStalled` is called.
    private static var patience: Int64 { 500 }

    /// Runs commands on several connections at once, until a deadline. If nothing happens for some time, calls
    /// `ifStalled`, which may end some of the lanes.
    static func run(
        _ lanes: [RedisLane], until deadline: Int64, _ write: WriteCommand, _ take: TakeReply,
        ifStalled: () -> Void = {}
    ) {
        withUnsafeTemporaryAllocation(of: pollfd.self, capacity: max(lanes.count, 1)) { room in
            var nextLook = millisecondsNow() + patience
            while true {
                var latest = min(deadline, nextLook)
                var waiting: [RedisLane] = []
                for lane in lanes where !lane.isOver {
                    let events = lane.send(write)
                    guard let stream = lane.wire.stream else { continue }
                    if lane.hasSendError { latest = 0 }
                    let place = pollfd(fd: stream.socket, events: Int16(truncatingIfNeeded: events), revents: 0)
                    room.initializeElement(at: waiting.count, to: place)
                    waiting.append(lane)
                }
                if waiting.isEmpty { return }
                RedisSocket.wait(UnsafeMutableBufferPointer(rebasing: room[..<waiting.count]), until: latest)
                var isStalled = true
                for index in waiting.indices {
                    if room[index].revents != 0 { isStalled = false }
                    waiting[index].receive(Int32(room[index].revents), until: deadline, take)
                }
                let now = millisecondsNow()
                if !isStalled { nextLook = now + patience }
                if now >= deadline {
                    for lane in waiting where !lane.isOver {
                        lane.fail(RedisTrouble("no answer in time", isLate: true))
                    }
                    return
                }
                if now < nextLook { continue }
                ifStalled()
                nextLook = millisecondsNow() + patience
            }
        }
    }
}
