import SKANCore
import SKANSystem
import Testing

@testable import SKANPostgresRecords

/// What a connection URI or string says, in libpq's reading.
struct PostgresAddressTests {
    private func address(_ url: String) throws -> PostgresAddress { try PostgresAddress(CText(url.utf8)) }

    /// What a session with a host is opened with.
    private func parameters(_ address: PostgresAddress, ofHost host: Int) -> [String: String] {
        let (keywords, values) = address.parameters(of: address.hosts[host])
        return Dictionary(zip(texts(keywords), texts(values))) { $1 }  // libpq takes the last
    }

    private func texts(_ list: TextList) -> [String] {
        list.withPointers { pointers in
            var found: [String] = []
            while let text = pointers?[found.count] { found.append(String(cString: text)) }
            return found
        }
    }

    @Test(arguments: [
        ("postgres://game:hidden-word@db.internal/game", "postgres://db.internal/game"),
        ("postgresql://game:hidden-word@db.internal:5433/game", "postgres://db.internal:5433/game"),
        ("host=a,b port=1,2 dbname=game user=game password=hidden-word", "postgres://a,b:1,2/game"),
        ("hostaddr=127.0.0.1 dbname=game password=hidden-word", "postgres://127.0.0.1/game"),
        ("host=/run/hidden-word dbname=game password=hidden-word", "postgres:///run/***/game"),
        ("dbname=game", "postgres:///game"),
    ])
    func theNameHasNoUserAndNoPassword(_ url: String, _ name: String) throws {
        #expect(String(decoding: try address(url).name.utf8, as: UTF8.self) == name)
    }

    @Test
    func aLongNameIsCut() throws {
        let name = try address("postgres://\(String(repeating: "h", count: 300))/game").name
        #expect(name.utf8.count == 196)
    }

    @Test
    func eachHostHasItsOwnPlace() throws {
        let three = try address("host=a,b,c hostaddr=1.1.1.1,2.2.2.2,3.3.3.3 port=5,6,7 dbname=x,y user=u")
        try #require(three.hosts.count == 3)
        let second = parameters(three, ofHost: 1)
        #expect(second["host"] == "b")
        #expect(second["hostaddr"] == "2.2.2.2")
        #expect(second["port"] == "6")
        #expect(second["dbname"] == "x,y")

        let onePort = try address("postgres://a,b/game?port=7")
        try #require(onePort.hosts.count == 2)
        #expect(parameters(onePort, ofHost: 1)["port"] == "7")
        #expect(parameters(onePort, ofHost: 1)["host"] == "b")

        let alone = try address("host=/run/x dbname=game")
        try #require(alone.hosts.count == 1)
        #expect(parameters(alone, ofHost: 0)["host"] == "/run/x")
    }

    /// libpq refuses parameters that it does not know, so this one is taken out.
    @Test(arguments: [
        ("postgres://h/game?pooled=1", true, "postgres://h/game"),
        ("postgresql://h/game?pooled=1&sslmode=require", true, "postgresql://h/game?sslmode=require"),
        ("postgres://h/game?sslmode=require&pooled=1&port=7", true, "postgres://h/game?sslmode=require&port=7"),
        ("postgres://h/game?port=7&pooled=0", false, "postgres://h/game?port=7"),
        ("postgres://h/game?port=7", false, "postgres://h/game?port=7"),
        ("postgres://u:a?b@h/game", false, "postgres://u:a?b@h/game"),
    ])
    func aURISaysWhetherSessionsArePooled(_ url: String, _ isPooled: Bool, _ rest: String) throws {
        let found = try withoutPooling(CText(url.utf8))
        #expect(found.isPooled == isPooled)
        #expect(String(decoding: found.url.utf8, as: UTF8.self) == rest)
        if url.contains("pooled") { #expect(try address(url).isPooled == isPooled) }
    }

    @Test
    func whereAStandbyIsPreferredIsKnown() throws {
        #expect(try address("postgres://a,b/game?target_session_attrs=prefer-standby").prefersStandby)
        #expect(try !address("postgres://a,b/game?target_session_attrs=standby").prefersStandby)
        #expect(try !address("postgres://a,b/game").prefersStandby)
    }

    @Test
    func eachAddressOfANameIsAHost() throws {
        let host = PostgresHost(name: [UInt8]("127.0.0.1".utf8), port: [UInt8]("5".utf8))
        #expect(try host.resolved().map(\.address) == [[UInt8]("127.0.0.1".utf8)])
        #expect(try host.resolved().map(\.port) == [[UInt8]("5".utf8)])
        for name in ["/run/x", "@abstract", ""] {
            #expect(try PostgresHost(name: [UInt8](name.utf8)).resolved().map(\.address) == [nil])
        }
        #expect(throws: UnknownName.self) { try PostgresHost(name: [UInt8]("host.invalid".utf8)).resolved() }
    }

    @Test
    func theEncodingIsTheStoresOwn() throws {
        let given = parameters(try address("postgres://h/game?client_encoding=LATIN1&sslmode=require"), ofHost: 0)
        #expect(given["client_encoding"] == "UTF8")
        #expect(given["fallback_application_name"] == "libskan")
        #expect(given["sslmode"] == "require")
        #expect(given["user"] == nil)
    }

    @Test(arguments: [
        ("postgres://u:s3cr3t%zz@host/db", "url: expected a connection URI or string of libpq"),
        ("postgres://u:p/s3cr3t@host/db", "url: port: expected a number"),
        ("postgres://u:12/s3cr3t@host/db", "url: database: expected a name without @"),
        ("postgres://u:p@s3cr3t@host/db", "url: host: expected a name without @"),
        ("postgres://u:p@host/db?s3cr3t=1", "url: expected a connection URI or string of libpq"),
        ("postgres://u:s3cr3t@[::1/db", "url: expected a connection URI or string of libpq"),
        ("host=a,b,c port=1,2 password=s3cr3t", "url: expected as many addresses and ports as hosts, got 3 hosts"),
        ("host=a hostaddr=1.1.1.1,2.2.2.2", "url: expected as many addresses and ports as hosts, got 1 hosts"),
        ("host=h password='s3cr3t", "url: expected a connection URI or string of libpq"),
        ("host=h password s3cr3t", "url: expected a connection URI or string of libpq"),
        ("mysql://u:s3cr3t@host/db", "url: expected a connection URI or string of libpq"),
        ("postgres://u:s3cr3t@host/db?pooled=yes", "url: pooled: expected 0 or 1"),
        ("postgres://u:s3cr3t@host/db?pooled=", "url: pooled: expected 0 or 1"),
        ("s3cr3t", "url: expected a connection URI or string of libpq"),
    ])
    func whatCannotBeReadIsRefusedWithoutThePassword(_ url: String, _ words: String) {
        let failure = #expect(throws: Failure.self) { try address(url) }
        let message = String(decoding: failure?.message.utf8 ?? [], as: UTF8.self)
        #expect(failure?.status == .invalidArgument)
        #expect(message.hasPrefix(words), "\(message)")
        #expect(!message.contains("s3cr3t"), "\(message)")
    }
}
