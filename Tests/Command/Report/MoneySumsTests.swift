import SKANCore
import Testing

@testable import SKANCommandReport
@testable import SKANCommandRows
@testable import SKANTruth

private let largest: Int128 = 1 << 125

private struct Draw {
    private var chance = LinearGenerator(seed: 1)

    mutating func number(below limit: UInt64) -> UInt64 { (chance.next() >> 11) % limit }

    /// Small amounts and large ones, halves among them.
    mutating func units() -> Int128 {
        let special: [Int128] = [0, 1, 500_000_000_000, 12_500_000_000, 37_500_000_000, 5_000_000_000]
        if number(below: 4) == 0 { return special[Int(number(below: 6))] }
        var limit: Int128 = 1
        for _ in 0...number(below: 28) { limit *= 10 }
        return (Int128(number(below: 1 << 53)) << 52 | Int128(number(below: 1 << 52))) % limit
    }
}

/// Whether a whole number is over / under, half to even.
private func isNearest(_ whole: Int128, _ over: Int128, _ under: Int128) -> Bool {
    let distance = (over - whole * under).magnitude * 2
    return distance < under.magnitude || (distance == under.magnitude && whole % 2 == 0)
}

private func number(_ text: Message, places: Int) -> Int128? {
    let text = text.utf8
    let point = text.firstIndex(of: UInt8(ascii: "."))
    guard (point.map { text.count - $0 - 1 } ?? 0) == places else { return nil }
    return text.reduce(Int128(0)) { $1 == UInt8(ascii: ".") ? $0 : $0 * 10 + Int128($1 - UInt8(ascii: "0")) }
}

@Test func anAmountIsReadFromPlainDigitsAlone() {
    let scale: Int128 = 1_000_000_000_000
    let amounts: [(StaticString, Int128?)] = [
        ("0", 0), ("12", 12 * scale), ("0.5", scale / 2), ("0.000000000001", 1), ("007", 7 * scale),
        ("999999999999999", 999_999_999_999_999 * scale), ("1000000000000000", nil), ("0.0000000000001", nil),
        ("1.", nil), (".5", nil), ("-1", nil), ("1e3", nil), ("1,5", nil), ("x", nil), ("1.5x", nil), ("1.5.5", nil),
        ("", nil), (".", nil),
    ]
    for (text, units) in amounts { #expect(Money(plain: [UInt8](text.bytes))?.units == units, "\(text)") }
}

@Test func anAmountIsRoundedHalfToEven() {
    var draw = Draw()
    for _ in 0..<2000 {
        let (units, places) = (draw.units(), Int(draw.number(below: 13)))
        var power: Int128 = 1
        for _ in places..<12 { power *= 10 }
        let whole = number(Money(units: units).text(places: places), places: places)
        #expect(whole.map { isNearest($0, units, power) } == true, "\(units) to \(places) places")
    }
    #expect(Money(units: 125 * 100_000_000).text(places: 3).utf8 == [UInt8]("0.012".utf8))
    #expect(Money(units: 375 * 100_000_000).text(places: 3).utf8 == [UInt8]("0.038".utf8))
}

@Test func anExactTextHasTwoPlacesAtLeastAndNoZerosBehindThem() {
    var draw = Draw()
    for _ in 0..<2000 {
        let money = Money(units: draw.units())
        let text = money.exactText.utf8
        let places = text.count - 1 - (text.firstIndex(of: UInt8(ascii: ".")) ?? 0)
        #expect(2...12 ~= places && (places == 2 || text.last != UInt8(ascii: "0")))
        if let read = Money(plain: text) { #expect(read == money) } else { #expect(!money.isPlain) }
    }
}

@Test func aShareIsTheNearestOrNone() {
    var draw = Draw()
    for _ in 0..<2000 {
        let (units, times) = (draw.units() % (1 << 90), draw.number(below: 1 << 30))
        let parts = 1 + draw.number(below: 1_000_000)
        let share = Money(units: units).share(times, of: parts)?.units
        #expect(share.map { isNearest($0, units * Int128(times), Int128(parts)) } == true, "\(units) \(times) \(parts)")
    }
    #expect(Money(units: largest).share(2, of: 1) == nil)
    #expect(Money(units: largest).share(1, of: 1)?.units == largest)
    #expect(Money(units: 3).share(1, of: 2)?.units == 2)
    #expect(Money(units: 1).share(1, of: 2)?.units == 0)
    #expect(Money(units: 0).share(0, of: 7)?.units == 0)
    #expect(Money(units: 5).share(1, of: 0) == nil)
}

@Test func aSumThatLeavesTheRangeChangesNothing() {
    var sum = Money(units: largest - 1)
    #expect(sum.take(in: Money(units: 1)) && sum.units == largest)
    #expect(!sum.take(in: Money(units: 1)) && sum.units == largest)
    #expect(sum.take(in: .zero) && sum.units == largest)
}

@Test func aQuotientIsTheNearestOfItsPlaces() {
    var draw = Draw()
    for _ in 0..<2000 {
        let (over, under) = (draw.units() % (1 << 100), 1 + Int128(draw.number(below: 1 << 53)) * 1000)
        let places = Int(draw.number(below: 5))
        var power: Int128 = 1
        for _ in 0..<places { power *= 10 }
        let whole = quotientText(over, under, places: places).flatMap { number($0, places: places) }
        #expect(whole.map { isNearest($0, over * power, under) } == true, "\(over) / \(under)")
    }
    #expect(quotientText(5, 0, places: 2) == nil)
}

@Test func peopleReadCommasBetweenThousands() {
    let numbers: [(Message, StaticString)] = [
        ("0", "0"), ("999", "999"), ("1000", "1,000"), ("123456", "123,456"), ("1234567.0001", "1,234,567.0001"),
        ("-999.5", "-999.5"), ("-1000", "-1,000"), ("", ""),
    ]
    for (number, grouped) in numbers { #expect(number.grouped.utf8 == [UInt8](grouped.bytes), "\(grouped)") }
    #expect(Money(units: 1_234_567_895_000_000_000).readable(places: 2).utf8 == [UInt8]("1,234,567.90".utf8))
    #expect(UInt64.max.readable.utf8 == [UInt8]("18,446,744,073,709,551,615".utf8))
}

@Test func aPartOfAnAmountIsReadInPercent() {
    let percents = [(Int128(623), Int128(1000)), (largest, largest), (largest, 3), (2, 0)].map {
        percentText($0, of: $1)
    }
    #expect(percents[0]?.utf8 == [UInt8]("62.3".utf8) && percents[1]?.utf8 == [UInt8]("100.0".utf8))
    #expect(percents[2] == nil && percents[3] == nil)
}

@Test func refundsMakeAmountsNegative() {
    func text(_ message: Message?) -> String? { message.map { String(decoding: $0.utf8, as: UTF8.self) } }
    let scale = Money.scale
    #expect(text(Money(units: -scale / 2).exactText) == "-0.50")
    #expect(text(Money(units: -12_500_000_000).text(places: 3)) == "-0.012")
    #expect(text(Money(units: -1).text(places: 2)) == "0.00")
    #expect(text(quotientText(-24, 10, places: 1)) == "-2.4")
    #expect(text(quotientText(-1, 1000, places: 1)) == "0.0")
    #expect(Money(units: -3).share(1, of: 2)?.units == -2)
    #expect(Money(units: -largest).share(2, of: 1) == nil)
    var sum = Money(units: 1 - largest)
    #expect(sum.take(in: Money(units: -1)) && sum.units == -largest)
    #expect(!sum.take(in: Money(units: -1)) && sum.units == -largest)
    #expect(sum.take(in: Money(units: largest)) && sum.units == 0)
}
