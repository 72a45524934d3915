import SKANCommandRows
import SKANCommandStores
import SKANCore
import SKANSystem
import Testing

@testable import SKANCommandOutbox

private func network(partners: [String]) throws -> Networks {
    let name = Array("one".utf8)
    let made = try partners.map { partner in
        let url = Array("https://\(partner).example/?id={id}".utf8)
        return Partner(
            name: Array(partner.utf8), of: name, url: try url.withUnsafeBytes { try PartnerURL($0) }, text: url)
    }
    return Networks([Network(name: name, adNetworks: [Array("a.example".utf8)], tokens: [], partners: made)])
}

private func key(_ number: Int, _ partner: String) -> [UInt8] {
    let digits = String(number, radix: 16)
    return Array("outbox/\(String(repeating: "0", count: 64 - digits.count))\(digits)/one/\(partner)".utf8)
}

@Suite("Calls of partners with a backlog")
struct OutboxTrafficTests {
    private let traffic: OutboxTraffic
    private let backlog = 20_000

    init() throws {
        let models = PartnerModels([])
        traffic = OutboxTraffic(OutboxSources(try network(partners: ["slow", "quick"]), models, .none))
        for number in 0..<backlog { traffic.note(key(number, "slow"), due: Int64(number)) }
    }

    /// All attempts that may begin now; they have begun.
    private func begin() -> [OutboxAttempt] {
        var begun: [OutboxAttempt] = []
        while let work = traffic.nextWork(nextSearch: millisecondsNow() + 300), work.mayBegin {
            let taken = traffic.takeDue()
            traffic.begin(taken, of: taken)
            begun += taken
        }
        return begun
    }

    @Test("a slow partner has a quarter of the calls, and its backlog is not looked at again until one of them ends")
    func slow() throws {
        let begun = begin()
        #expect(begun.count == 16 && traffic.counts == (backlog, 16))
        // Nothing is due for longer than a busy partner's entries were put off once.
        let work = try #require(traffic.nextWork(nextSearch: millisecondsNow() + 300))
        #expect(!work.mayBegin && work.searches && work.finished.isEmpty)
        traffic.finish(try #require(begun.first), .failed("no"))
        let next = try #require(traffic.nextWork(nextSearch: millisecondsNow() + 60_000))
        #expect(next.finished.count == 1 && next.mayBegin)
        #expect(traffic.takeDue().map { $0.known.key } == [key(16, "slow")])
    }

    @Test("a partner that asked to be left alone is not called before, and then at once")
    func held() throws {
        let begun = begin()
        for attempt in begun {
            traffic.finish(attempt, .failed("no"))
            traffic.forget(attempt.known)
        }
        _ = traffic.takeFinished()
        let partner = try #require(begun.first?.partner)
        let moment = millisecondsNow() + 3000
        traffic.hold(partner, until: moment)
        traffic.hold(partner, until: moment - 2900)
        traffic.note(key(1, "quick"), due: 1)
        #expect(begin().map { $0.known.key } == [key(1, "quick")])
        let work = try #require(traffic.nextWork(nextSearch: millisecondsNow() + 60_000))
        #expect(work.mayBegin && millisecondsNow() >= moment)
        #expect(traffic.takeDue().count == 16)
    }

    @Test("another partner is called at once beside it")
    func other() throws {
        _ = begin()
        traffic.note(key(1, "quick"), due: 1)
        #expect(begin().map { $0.known.key } == [key(1, "quick")])
    }

    @Test("every entry has its turn, once")
    func everyOne() throws {
        var told: [[UInt8]: Int] = [:]
        var attempts = begin()
        while !attempts.isEmpty {
            for attempt in attempts {
                told[attempt.known.key, default: 0] += 1
                traffic.finish(attempt, .answered([]))
                traffic.forget(attempt.known)
            }
            _ = traffic.takeFinished()
            attempts = traffic.takeDue()
            traffic.begin(attempts, of: attempts)
        }
        #expect(told.count == backlog && told.values.allSatisfy { $0 == 1 })
        #expect(traffic.counts == (0, 0))
    }

    @Test("entries that were taken and not begun leave room for others")
    func notBegun() throws {
        let taken = traffic.takeDue()
        traffic.begin([], of: taken)
        for attempt in taken { traffic.forget(attempt.known) }
        #expect(traffic.counts == (backlog - 16, 0))
        #expect(begin().count == 16)
    }

    @Test("what waits for a partner is looked at again once there are other networks")
    func replaced() throws {
        let begun = begin()
        let models = PartnerModels([])
        traffic.replace(OutboxSources(try network(partners: ["quick"]), models, .none))
        let taken = traffic.takeDue()
        #expect(taken.count == 64 - begun.count && taken.allSatisfy { $0.partner == nil })
    }
}
