import Testing

@testable import SKANCommandServer

@Suite struct SeenHoursTests {
    @Test func theLeastRecentlySeenAreThoseOfTheFirstHoursAndSomeOfTheNext() {
        var hours = SeenHours()
        let seen: [Int64] = [7200, 0, 3599, 3600, 3601, 7199, 10_800]
        for last in seen { hours.add(last) }
        #expect(hours.count == 7)
        for number in 0...7 {
            var oldest = hours.oldest(UInt64(number))
            let gone = seen.filter { oldest.take($0) }
            #expect(gone.count == number)
            let stay = seen.filter { !gone.contains($0) }
            #expect((gone.max() ?? 0) / 3600 <= (stay.min() ?? .max) / 3600)
        }
    }
}
