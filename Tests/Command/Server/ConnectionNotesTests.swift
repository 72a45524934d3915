import SKANSystem
import Testing

@testable import SKANCommandServer

@Suite struct ConnectionNotesTests {
    private var notes = ConnectionNotes()
    private let minute = ConnectionNotes.pause

    private func address(_ number: Int) throws -> ClientAddress {
        try #require(Array("192.0.2.\(number)".utf8).withUnsafeBytes { ClientAddress($0) })
    }

    @Test mutating func theFirstConnectionIsToldAtOnceAndTheOthersAfterAMinute() throws {
        let client = try address(1)
        for _ in 0..<3 { notes.add(.ofClient, client, at: 5) }
        #expect(notes.take(at: 5).map(\.count) == [3])
        for _ in 0..<4 { notes.add(.ofClient, client, at: 6) }
        #expect(notes.take(at: 4 + minute).isEmpty)
        #expect(notes.take(at: 5 + minute).map(\.count) == [4])
        notes.add(.ofClient, client, at: 7 + minute)
        #expect(notes.takeAll().map(\.count) == [1])
        #expect(notes.takeAll().isEmpty)
    }

    @Test mutating func eachClientAndTheLimitOfAllHaveTheirOwnNote() throws {
        for number in [1, 2, 2] { notes.add(.ofClient, try address(number), at: 1) }
        for number in [1, 3] { notes.add(.ofAll, try address(number), at: 1) }
        let told = notes.take(at: 1)
        #expect(told.map(\.count) == [1, 2, 2])
        #expect(told.map(\.client) == [try address(1), try address(2), nil])
        #expect(told.map(\.limit) == [.ofClient, .ofClient, .ofAll])
    }

    @Test mutating func aClientThatHadNoneForAMinuteIsForgotten() throws {
        for number in 0..<ConnectionNotes.most { notes.add(.ofClient, try address(number), at: 1) }
        #expect(notes.take(at: 1).count == ConnectionNotes.most)
        #expect(notes.take(at: 1 + minute).isEmpty)
        notes.add(.ofClient, try address(200), at: 2 + minute)
        #expect(notes.take(at: 2 + minute).map(\.client) == [try address(200)])
    }

    @Test mutating func clientsBeyondThoseThatAreRememberedAreOneNote() throws {
        for number in 0..<250 { notes.add(.ofClient, try address(number), at: 1) }
        let told = notes.take(at: 1)
        #expect(told.count == ConnectionNotes.most + 1)
        #expect(told.last?.client == nil)
        #expect(told.reduce(0) { $0 + $1.count } == 250)
    }
}
