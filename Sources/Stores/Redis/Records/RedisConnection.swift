internal import SKANCore
internal import SKANStorePool
internal import SKANSystem

/// A connection of a store's pool to the server, or to the nodes of the cluster. Each connection to a node is made and
/// authenticated when a call first needs it, and made again if it was lost. Used by one thread at a time.
package final class RedisConnection {
    package struct Settings: Sendable {
        let address: RedisAddress
        /// Nil for a cluster.
        let server: RedisNode?
        let cluster: RedisCluster?
        let tls: RedisTLS?
        /// Prepended to every key.
        let prefix: [UInt8]
        /// The time-outs of a call and of connecting within it, in milliseconds.
        let timeout, connectTimeout: UInt32
        /// The days after which an install's record is deleted, counted from the close of its last postback window; 0
        /// if records are kept.
        let expireDays: UInt32
        let allowsEviction: Bool
    }

    let settings: Settings
    private var wires: [(node: RedisNode, wire: RedisWire)] = []
    package var isBroken = false
    package var deadline: Int64

    init(_ settings: Settings) {
        self.settings = settings
        deadline = millisecondsNow() + Int64(settings.timeout)
    }

    package func end() {
        for each in wires { each.wire.close() }
        wires.removeAll()
    }

    /// Runs commands on one node. For each command, either `take` gets the reply, or `lose` is called.
    ///
    /// If the connection is lost, the remaining commands are tried once more on a new connection, provided that they
    /// only read or that none of them can have reached the server.
    func run(
        _ numbers: [Int], on node: RedisNode, reads: Bool, _ write: WriteCommand, _ take: TakeReply, _ lose: LoseCommand
    ) {
        var numbers = numbers
        var isSecond = false
        while true {
            let lane: RedisLane
            do throws(RedisTrouble) {
                lane = RedisLane(try wire(to: node, by: deadline), numbers)
            } catch {
                for number in numbers { lose(number, false, error) }
                return
            }
            RedisLane.run([lane], until: deadline, write, take)
            guard let trouble = lane.trouble else { return }
            lane.wire.close()
            let mayBeDone = !reads && lane.sent > lane.answered
            if trouble.isLate || isSecond || mayBeDone {
                for index in lane.answered..<numbers.count {
                    lose(numbers[index], !reads && index < lane.sent, trouble)
                }
                return
            }
            numbers.removeFirst(lane.answered)
            isSecond = true
        }
    }

    // MARK: Connecting

    /// Returns a working connection to a node. If there is none, makes one, by the time `latest`.
    func wire(to node: RedisNode, by latest: Int64) throws(RedisTrouble) -> RedisWire {
        var found = wires.first { $0.node === node }?.wire
        if let known = found, known.isConnected && !known.isQuiet { known.close() }
        if let found, found.isConnected { return found }
        let made = found ?? RedisWire()
        if found == nil {
            found = made
            wires.append((node, made))
        }
        try connect(made, node.place, latest)
        return made
    }

    /// Closes the connections to nodes that no longer belong to the cluster.
    func forgetStrangers(_ cluster: RedisCluster) {
        wires.removeAll { each in
            if cluster.knows(each.node) { return false }
            each.wire.close()
            return true
        }
    }

    private func connect(_ wire: RedisWire, _ place: RedisPlace, _ latest: Int64) throws(RedisTrouble) {
        let latest = min(millisecondsNow() + Int64(settings.connectTimeout), latest)
        do throws(RedisTrouble) {
            try wire.connect(place, settings.tls, by: latest)
            try greet(wire, latest)
        } catch {
            wire.close()
            throw error
        }
    }

    private func greet(_ wire: RedisWire, _ latest: Int64) throws(RedisTrouble) {
        let steps = RedisGreeting.steps(settings.address)
        var refusal: Message?
        let lane = RedisLane(wire, Array(steps.indices))
        RedisLane.run([lane], until: latest) { index, out in
            steps[index].write(to: &out)
        } _: { _, index, reply in
            if refusal == nil { refusal = steps[index].refusal(reply) }
        }
        if let trouble = lane.trouble { throw trouble }
        if let refusal { throw RedisTrouble(refusal) }
        if !wire.isConnected { throw RedisWire.tooManyAnswers }
    }
}
