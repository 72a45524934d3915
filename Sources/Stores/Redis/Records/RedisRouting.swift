internal import CSKANSystem
internal import SKANCore
internal import SKANSystem

extension RedisConnection {
    /// Runs commands on the server, or, in a cluster, each on the node of its key's slot. For each command, either
    /// `take` gets the reply, or `lose` is called.
    func run(
        _ count: Int, reads: Bool, key: (Int) -> Bytes, _ write: WriteCommand, _ take: TakeReply, _ lose: LoseCommand
    ) {
        if let cluster = settings.cluster {
            var route = RedisRoute(cluster, Array(0..<count), reads: reads)
            return run(&route, key: key, write, take, lose)
        }
        if let server = settings.server { run(Array(0..<count), on: server, reads: reads, write, take, lose) }
    }

    /// Runs commands on the nodes of their slots until each has its reply or the deadline has passed. Redirections are
    /// followed. If a node is gone, or says that the cluster is changing, the commands that were certainly not carried
    /// out are tried again after a pause.
    private func run(
        _ route: inout RedisRoute, key: (Int) -> Bytes, _ write: WriteCommand, _ take: TakeReply, _ lose: LoseCommand
    ) {
        let prefix = settings.prefix
        var pause: Int64 = 5
        for round in 0... {
            let begun = millisecondsNow()
            route.waits = false
            route.isMoved = false
            let groups = route.takeGroups { RedisLayout.slot(prefix, key($0)) }
            let lanes = lanes(groups, &route)
            runRound(lanes, &route, write, take, lose)
            if route.open.isEmpty && route.asked.isEmpty { return }
            var reason = route.trouble ?? RedisTrouble("no answer in time", isLate: true)
            do throws(RedisTrouble) {
                if route.waits || route.isMoved && !route.cluster.isNewer(than: begun - 1000) {
                    try learn(route.cluster, since: begun)
                }
                // A slot that nodes keep redirecting to each other is about to change too.
                if route.waits || round > 4 {
                    var rest = timespec(
                        tv_sec: 0, tv_nsec: Int(min(pause, max(deadline - millisecondsNow(), 0))) * 1_000_000)
                    nanosleep(&rest, nil)
                    pause = min(pause * 2, 100)
                }
                if millisecondsNow() < deadline { continue }
            } catch {
                reason = error
            }
            for number in route.open + route.asked.map({ $0.number }) { lose(number, false, reason) }
            return
        }
    }

    /// Connects to the nodes. The commands of a node that cannot be reached stay open.
    private func lanes(
        _ groups: [(node: RedisNode, numbers: [Int])], _ route: inout RedisRoute
    ) -> [(node: RedisNode, lane: RedisLane)] {
        var lanes: [(node: RedisNode, lane: RedisLane)] = []
        for group in groups {
            do throws(RedisTrouble) {
                lanes.append((group.node, RedisLane(try wire(to: group.node, by: shareOfTime), group.numbers)))
            } catch {
                route.waitBecause(RedisTrouble("\(group.node.place.name): \(error.words)", isLate: error.isLate))
                route.open += group.numbers.filter { $0 != RedisRoute.asking }
            }
        }
        return lanes
    }

    /// The deadline for connecting to one node. It leaves time to try other nodes.
    private var shareOfTime: Int64 {
        let now = millisecondsNow()
        return now + max((deadline - now) / 4, 10)
    }

    private func runRound(
        _ lanes: [(node: RedisNode, lane: RedisLane)], _ route: inout RedisRoute, _ write: WriteCommand,
        _ take: TakeReply, _ lose: LoseCommand
    ) {
        let all = lanes.map { $0.lane }
        let cluster = route.cluster
        RedisLane.run(all, until: deadline) { number, out in
            if number == RedisRoute.asking {
                out.begin(1)
                out.add("ASKING")
            } else {
                write(number, &out)
            }
        } _: { lane, number, reply in
            guard number != RedisRoute.asking, let node = lanes.first(where: { $0.lane === lane })?.node else { return }
            if !route.follow(reply, number, from: node) { take(lane, number, reply) }
        } ifStalled: {
            let busy = lanes.filter { !$0.lane.isOver }.map { $0.node }
            do throws(RedisTrouble) { try learn(cluster, since: Int64.max, without: busy) } catch { return }
            for each in lanes where !each.lane.isOver && !cluster.isMaster(each.node) {
                each.lane.fail(RedisTrouble("it does not answer, and is no longer a master of the cluster"))
            }
        }
        for (node, lane) in lanes {
            guard let trouble = lane.trouble else { continue }
            lane.wire.close()
            let told = RedisTrouble("\(node.place.name): \(trouble.words)", isLate: trouble.isLate)
            for index in lane.answered..<lane.numbers.count where lane.numbers[index] != RedisRoute.asking {
                if index < lane.sent && !route.reads {
                    lose(lane.numbers[index], true, told)
                } else {
                    route.open.append(lane.numbers[index])
                    route.waitBecause(told)
                }
            }
        }
    }

    // MARK: Learning

    /// Asks one node after the other for the slots, until one knows them, unless they were learned since `moment`. Does
    /// not ask the nodes in `busy`. Throws if no node knows the slots.
    func learn(
        _ cluster: RedisCluster, since moment: Int64, without busy: [RedisNode] = []
    ) throws(RedisTrouble) {
        if cluster.isNewer(than: moment) { return }
        var first: RedisTrouble?
        for node in cluster.tellers() where !busy.contains(where: { $0 === node }) {
            if millisecondsNow() >= deadline { break }
            do throws(RedisTrouble) {
                try learn(cluster, from: node)
                return forgetStrangers(cluster)
            } catch {
                if first == nil { first = RedisTrouble("\(node.place.name): \(error.words)", isLate: error.isLate) }
            }
        }
        throw first ?? RedisTrouble("no answer in time", isLate: true)
    }

    private func learn(_ cluster: RedisCluster, from node: RedisNode) throws(RedisTrouble) {
        let latest = shareOfTime
        let lane = RedisLane(try wire(to: node, by: latest), [0])
        var refusal: Message?
        RedisLane.run([lane], until: latest) { _, out in
            out.begin(2)
            out.add("CLUSTER")
            out.add("SLOTS")
        } _: { _, _, reply in
            if !cluster.learn(reply, from: node) { refusal = reply.words(atMost: 255) }
        }
        if let trouble = lane.trouble {
            lane.wire.close()
            throw trouble
        }
        if let refusal { throw RedisTrouble("CLUSTER SLOTS: \(refusal)") }
    }
}
