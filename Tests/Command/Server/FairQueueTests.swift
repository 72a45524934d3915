import SKANSystem
import Testing

@testable import SKANCommandServer

@Suite struct FairQueueTests {
    private func client(_ number: Int) throws -> ClientAddress {
        try #require(Array("192.0.2.\(number)".utf8).withUnsafeBytes { ClientAddress($0) })
    }

    @Test func oneClientHasAQuarterOfThePlaces() throws {
        var queue = FairQueue<Int>(places: 8)
        let one = try client(1)
        #expect(queue.add(1, of: one) == nil)
        #expect(queue.next()?.element == 1)
        #expect(queue.add(2, of: one) == nil)
        #expect(!queue.hasRoom(for: one))
        #expect(queue.add(3, of: one) == 3)
        queue.finish(one)
        #expect(queue.hasRoom(for: one))
    }

    @Test func whereAllPlacesAreTakenTheLargestClientLosesItsNewest() throws {
        var queue = FairQueue<Int>(places: 8)
        for number in 0..<8 { #expect(queue.add(number, of: try client(number / 2)) == nil) }
        let dropped = queue.add(8, of: try client(9))
        let lost = try #require(dropped)
        #expect(lost % 2 == 1)
        #expect(queue.waiting == 8)
        // It has as much as anybody would be left with.
        #expect(!queue.hasRoom(for: try client(9)))
        #expect(queue.add(9, of: try client(9)) == 9)
    }

    @Test func aClientWithNothingUnderWayHasEverySecondTurn() throws {
        var queue = FairQueue<Int>(places: 80)
        for number in 0..<20 { _ = queue.add(number, of: try client(1)) }
        #expect(queue.next()?.element == 0)
        for number in 20..<24 { _ = queue.add(number, of: try client(number)) }
        #expect((0..<8).compactMap { _ in queue.next()?.element } == [20, 1, 21, 2, 22, 3, 23, 4])
    }

    @Test func theOtherTurnsGoFromClientToClient() throws {
        var queue = FairQueue<Int>(places: 80)
        for number in 0..<12 { _ = queue.add(number, of: try client(number / 4)) }
        #expect((0..<12).compactMap { _ in queue.next()?.element } == [0, 4, 1, 8, 5, 2, 9, 6, 3, 10, 7, 11])
        #expect(queue.next() == nil)
    }

    @Test func whatWaitsCanBeTakenAway() throws {
        var queue = FairQueue<Int>(places: 8)
        for number in 0..<4 { _ = queue.add(number, of: try client(number)) }
        let next = queue.next()
        let begun = try #require(next)
        #expect(queue.removeAll().count == 3)
        #expect(queue.isEmpty && queue.next() == nil && queue.busy == 1)
        queue.finish(begun.client)
        #expect(queue.busy == 0)
        #expect(queue.add(9, of: begun.client) == nil)
    }

    @Test func aClientThatIsDoneIsForgotten() throws {
        var queue = FairQueue<Int>(places: 8)
        for number in 0..<10_000 {
            let address = "10.1.\(number / 256).\(number % 256)"
            let client = try #require(Array(address.utf8).withUnsafeBytes { ClientAddress($0) })
            #expect(queue.add(number, of: client) == nil)
            #expect(queue.next()?.element == number && queue.clients == 1)
            queue.finish(client)
            #expect(queue.clients == 0)
        }
    }

    @Test func aClientIsKnownUntilTheLastOfItsElementsIsDone() throws {
        var queue = FairQueue<Int>(places: 8)
        let one = try client(1)
        for number in 0..<2 { #expect(queue.add(number, of: one) == nil) }
        for number in 0..<2 { #expect(queue.next()?.element == number) }
        queue.finish(one)
        #expect(queue.clients == 1 && queue.busy == 1)
        queue.finish(one)
        #expect(queue.clients == 0 && queue.busy == 0)
    }
}
