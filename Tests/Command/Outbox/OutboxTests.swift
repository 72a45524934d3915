import CSKANSystem
import SKANCommandStores
import SKANCore
import SKANPostbackVerification
import SKANSystem
import Testing

@testable import SKANCommandOutbox
@testable import SKANPostbackReceiving

/// A partner on a port of this machine: takes so many calls, one after the other, and answers each with a status.
private final class TestPartner: @unchecked Sendable {
    let port: UInt16
    private let listener: Int32
    private var thread = pthread_t()
    private let monitor = Monitor()
    private var lines: [String] = []
    private let statuses: [Int]

    init(answers statuses: [Int]) {
        self.statuses = statuses
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        self.listener = listener
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutableBytes(of: &address) { bytes in
            let address = bytes.baseAddress!.assumingMemoryBound(to: sockaddr.self)
            _ = bind(listener, address, size)
            listen(listener, 16)
            getsockname(listener, address, &size)
        }
        port = UInt16(bigEndian: address.sin_port)
        let serve: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { partner in
            Unmanaged<TestPartner>.fromOpaque(partner!).takeUnretainedValue().serve()
            return nil
        }
        pthread_create(&thread, nil, serve, Unmanaged.passUnretained(self).toOpaque())
    }

    private func serve() {
        for status in statuses {
            let caller = accept(listener, nil, nil)
            var bytes = [UInt8](repeating: 0, count: 4096)
            let count = max(0, read(caller, &bytes, bytes.count))
            let line = String(decoding: bytes.prefix(count).prefix { $0 != 13 }, as: UTF8.self)
            let answer = Array("HTTP/1.1 \(status) X\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".utf8)
            _ = write(caller, answer, answer.count)
            close(caller)
            monitor.hold { lines.append(line) }
        }
    }

    var calls: [String] { monitor.hold { lines } }

    /// After all its calls.
    func end() {
        pthread_join(thread, nil)
        close(listener)
    }
}

private final class Told: @unchecked Sendable {
    private let monitor = Monitor()
    private var words: [String] = []

    func note(_ event: StaticString, _ text: Message) {
        monitor.hold { words.append("\(event): \(String(decoding: text.utf8, as: UTF8.self))") }
    }

    var all: [String] { monitor.hold { words } }
}

private func eventually(_ holds: () -> Bool) -> Bool {
    for _ in 0..<400 {
        if holds() { return true }
        usleep(25_000)
    }
    return false
}

/// An SQLite store whose file goes with it.
private final class StoreFile {
    private let path = "/tmp/skan-outbox-\(UInt64.random(in: 0...UInt64.max)).db"
    let store: OpenStore

    init() throws { store = try OpenStore.open(CText(Array("sqlite:\(path)".utf8)), for: .fills) }

    deinit {
        for end in ["", "-wal", "-shm"] { unlink(path + end) }
    }
}

/// Valid, as far as its record says.
private func postback() -> VerifiedPostback {
    let body = """
        {"version":"4.0","ad-network-id":"example.skadnetwork","source-identifier":"5239","app-id":525463029,\
        "transaction-id":"t-1","redownload":false,"source-domain":"example.com","fidelity-type":1,"did-win":true,\
        "postback-sequence-index":0,"attribution-signature":"MAYCAQECAQE="}
        """
    return Array(body.utf8).withUnsafeBytes {
        VerifiedPostback(restoring: $0, PostbackVerdict(result: .valid, omitsSourceApp: false))
    }
}

/// As a receiver counts it.
private func count(_ postback: VerifiedPostback, in store: OpenStore) throws {
    let record = PostbackRecord(
        PostbackWriteID(low: 1, high: 2), postback.verdict, received: 1_700_000_000_000_000, network: [])
    let bytes = copy(record.bytes(postback.body))
    let key = try #require(postback.key)
    #expect(bytes.withUnsafeBytes { store.save(key, $0, expected: 0).status } == .ok)
}

private func copy(_ bytes: borrowing ByteBuffer) -> [UInt8] { [UInt8](bytes.bytes) }

private func network(_ ports: [UInt16]) throws -> Network {
    var partners: [Partner] = []
    for (index, port) in ports.enumerated() {
        let text = "http://127.0.0.1:\(port)/told?id={id}&transaction={transaction}"
        let url = try Array(text.utf8).withBytes { text throws(PartnerURLProblem) in try PartnerURL(text) }
        partners.append(Partner(name: Array("p\(index)".utf8), url: url, index: index))
    }
    return Network(
        name: Array("example".utf8), adNetworks: [Array("example.skadnetwork".utf8)], tokens: [], partners: partners)
}

private func start(_ store: OpenStore, _ network: Network, _ told: Told, attempts: Int64 = 20) throws -> Outbox {
    var settings = OutboxSettings()
    settings.attempts = attempts
    settings.pause = 20
    settings.longestPause = 50
    settings.search = 1
    return try Outbox(
        settings, durable: store, relaxed: store, networks: Networks([network]),
        models: PartnerModels(installs: [], reengagements: []), log: told.note)
}

private func entry(of prepared: PreparedPostback, _ index: Int, in store: OpenStore) -> OutboxEntry? {
    let loaded = prepared.keys[index].withUnsafeBytes { store.load($0) }
    return loaded.status == .ok ? loaded.bytes.withUnsafeBytes { OutboxEntry($0) } : nil
}

private func metric(_ outbox: Outbox, _ name: String) -> Int? {
    String(decoding: outbox.metrics.utf8, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix("\(name) ") }
        .flatMap { Int($0.dropFirst(name.utf8.count + 1)) }
}

@Test func eachPartnerIsToldOnceItsPostbackIsCounted() throws {
    let partners = [TestPartner(answers: [200]), TestPartner(answers: [500, 200])]
    let file = try StoreFile()
    defer { withExtendedLifetime(file) {} }
    let store = file.store
    let network = try network(partners.map { $0.port })
    let told = Told()
    let outbox = try start(store, network, told)
    let postback = postback()
    let prepared = try #require(try outbox.prepare(postback, for: network))
    #expect(entry(of: prepared, 1, in: store)?.state == .prepared)
    try count(postback, in: store)
    #expect(try outbox.prepare(postback, for: network) == nil, "it is counted")
    try outbox.activate(prepared)
    #expect(eventually { metric(outbox, "skan_outbox_delivered_total") == 2 })
    for partner in partners { partner.end() }
    #expect(eventually { prepared.keys.indices.allSatisfy { entry(of: prepared, $0, in: store) == nil } })
    #expect(partners.map { $0.calls.count } == [1, 2])
    let digits = String(decoding: try #require(postback.key).dropFirst(9), as: UTF8.self)
    #expect(partners[0].calls == ["GET /told?id=\(digits)-p0&transaction=t-1 HTTP/1.1"])
    #expect(told.all.count == 1 && told.all[0].hasPrefix("partner: example/p1 could not be told: 127.0.0.1:"))
    #expect(metric(outbox, "skan_outbox_waiting") == 0)
    #expect(metric(outbox, "skan_outbox_failed_total") == 1)
    outbox.stop(grace: 1000)
}

@Test func whatWasNeverCountedIsNotTold() throws {
    let file = try StoreFile()
    defer { withExtendedLifetime(file) {} }
    let store = file.store
    let network = try network([1])
    let told = Told()
    let outbox = try start(store, network, told)
    let prepared = try #require(try outbox.prepare(postback(), for: network))
    try outbox.activate(prepared)
    usleep(200_000)
    #expect(entry(of: prepared, 0, in: store)?.attempts == 0)
    #expect(metric(outbox, "skan_outbox_waiting") == 1)
    outbox.stop(grace: 0)
    #expect(told.all.isEmpty)
}

@Test func anEntryIsGivenUpAfterItsAttemptsAndFoundByTheNextOutbox() throws {
    let partner = TestPartner(answers: [503, 503, 200])
    let file = try StoreFile()
    defer { withExtendedLifetime(file) {} }
    let store = file.store
    let network = try network([partner.port])
    let told = Told()
    let first = try start(store, network, told, attempts: 2)
    let postback = postback()
    let prepared = try #require(try first.prepare(postback, for: network))
    try count(postback, in: store)
    try first.activate(prepared)
    #expect(eventually { entry(of: prepared, 0, in: store)?.state == .dead })
    first.stop(grace: 1000)
    #expect(told.all.last?.hasPrefix("partner: example/p0 is given up: ") == true)
    var review = OutboxReview(store, retries: true)
    #expect(review.review() == .fine)
    #expect(entry(of: prepared, 0, in: store)?.state == .waiting)
    let second = try start(store, network, told, attempts: 2)
    #expect(eventually { entry(of: prepared, 0, in: store) == nil })
    second.stop(grace: 1000)
    partner.end()
}
