import SKANCore
import Testing

/// The parts of conversion models that vectors do not reach. These tests alone judge the bytes of counts and measures
/// in a record and which bytes are none, counts and sums at their limits, days that come out of order, measures that
/// begin again by the scope that each has, event names that differ in their last byte, and digests of short and of long
/// texts.
struct ModelTests {
    /// FIPS 180-4's examples that are shorter and longer than documents; those, Tests/Vectors/Reference compares with
    /// Python's hashlib.
    @Test(arguments: [
        ("abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        ("a", 1_000_000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
    ])
    func sha256(_ text: String, times: Int, digest: String) {
        String(repeating: text, count: times).withBytes { bytes in
            #expect(written { SHA256(of: bytes).write(to: &$0) } == digest)
        }
    }

    private static let version = SHA256(words: [1, 2, 3, 4, 5, 6, 7, 0x8899_AABB])

    private func count(_ place: Int, _ window: Window, _ model: inout InstallModel, isChange: Bool = true) {
        let isEntered = model.enter(window, lifetime: 0)
        let isChanged = model.add(place) || isEntered
        #expect(isChanged == isChange)
    }

    /// Numbers as they are in the record: seven bits a byte, the lowest first.
    @Test(arguments: [
        (1, "01"), (126, "7e"), (127, "7f"), (128, "8001"), (129, "8101"), (255, "ff01"), (256, "8002"),
        (16_383, "ff7f"), (16_384, "808001"),
    ])
    func aCountTakesABytePerSevenBits(_ number: UInt32, _ written: String) throws {
        var model = InstallModel(ModelTests.version)
        for _ in 0..<number { _ = model.add(0) }
        let bytes = model.stored
        #expect(bytes.dropFirst(33).map { $0 } == [1] + [UInt8](hex: written))
        let read = try #require(bytes.withUnsafeBytes { InstallModel(stored: $0) })
        #expect(read.count(0, in: .first) == number)
    }

    @Test func aCountSaturates() throws {
        var bytes = InstallModel(ModelTests.version).stored
        bytes[33] = 1
        bytes += [0xFE, 0xFF, 0xFF, 0xFF, 0x0F]
        var model = try #require(bytes.withUnsafeBytes { InstallModel(stored: $0) })
        #expect(model.count(0, in: .first) == UInt32.max - 1)
        count(0, .first, &model)
        count(0, .first, &model, isChange: false)
        #expect(model.count(0, in: .first) == UInt32.max)
    }

    // MARK: Measures

    private static let measured: InstallModel = {
        var model = InstallModel(version, hasMeasures: true)
        for (number, value) in [0, 127, 128, -1, 0, Int128(UInt32.max), -128, -129, 1 << 64, 0].enumerated() {
            model.set(measure: number, MeasureValue(number: value))
        }
        return model
    }()

    /// Each in as few bytes as it needs, none for 0; zeros at the end are left out.
    @Test func measuresTakeFewBytesAndReadBack() throws {
        let bytes = ModelTests.measured.stored
        let written = "09 00 017f 028000 01ff 00 05ffffffff00 0180 027fff 09000000000000000001"
        #expect(bytes.dropFirst(34).map { $0 } == [UInt8](hex: written))
        let read = try #require(bytes.withUnsafeBytes { InstallModel(stored: $0, hasMeasures: true) })
        #expect(read.measureNumber == 9)
        for number in 0..<12 { #expect(read.measure(number) == ModelTests.measured.measure(number)) }
        #expect(read.stored == bytes)
        #expect(bytes.withUnsafeBytes { InstallModel(stored: $0) } == nil)
    }

    @Test func measuresThatWereNotWrittenAreNotRead() {
        let head = InstallModel(ModelTests.version).stored
        for (bad, why) in [
            ("", "no number"), ("01", "cut off"), ("0100", "a zero at the end"), ("0101", "cut off"),
            ("01020100", "a byte too many"), ("0102ffff", "a byte too many, below zero"),
            ("010101ff", "more behind it"),
            ("0001", "more behind none"), ("0111" + String(repeating: "01", count: 17), "17 bytes"),
            ("21" + String(repeating: "0101", count: 33), "33 measures"),
        ] {
            let bytes = head + [UInt8](hex: bad)
            #expect(bytes.withUnsafeBytes { InstallModel(stored: $0, hasMeasures: true) } == nil, "\(why)")
        }
        let most = head + [UInt8](hex: "20" + String(repeating: "0101", count: 32))
        #expect(most.withUnsafeBytes { InstallModel(stored: $0, hasMeasures: true) } != nil)
    }

    /// Counts and those of the window begin again, those of the lifetime go on.
    @Test func aNewWindowBeginsMeasuresAgain() {
        var model = ModelTests.measured
        _ = model.add(0)
        let isSame = model.enter(.first, lifetime: 0b10)
        #expect(!isSame && model.measure(1, isLifetime: false, in: .second) == .zero)
        let isNew = model.enter(.second, lifetime: 0b10)
        #expect(isNew && model.count(0, in: .second) == 0)
        #expect(model.measure(1, isLifetime: true, in: .third).count == 127)
        for number in [0, 2, 3, 5] { #expect(model.measure(number) == .zero) }
    }

    @Test func aMeasureStaysWithinItsLimits() {
        let most = MeasureValue(number: Int128(UInt32.max))
        #expect(most.countingOne == most && MeasureValue(number: 6).countingOne.count == 7)
        let limit = Money.scale * Money.scale * Money.scale
        #expect(MeasureValue(number: limit - 1).adding(5).units == limit)
        #expect(MeasureValue(number: 1 - limit).adding(-5).units == -limit)
        let days = MeasureValue.zero.counting(day: 0)
        #expect(days.count == 1 && days.counting(day: 0) == days)
        let later = days.counting(day: 7)
        #expect(later.count == 2 && later.counting(day: 6) == later && later.counting(day: 8).count == 3)
    }

    @Test func whatWasNotWrittenIsNotRead() {
        let head = Array(InstallModel(ModelTests.version).stored.dropLast())
        let bad: [[UInt8]] = [
            head, head + [1], head + [0, 0], head + [1, 0], head + [1, 0x80], head + [1, 0x80, 0x00],
            head + [1, 0x81, 0x00], head + [1, 1, 1], head + [2, 1, 0], head + [66],
            head + [1, 0xFF, 0xFF, 0xFF, 0xFF, 0x10], head + [1, 0xFF, 0xFF, 0xFF, 0xFF, 0x8F, 0x01],
            head.dropLast() + [3, 0],
        ]
        for bytes in bad {
            #expect(bytes.withUnsafeBytes { InstallModel(stored: $0) } == nil, "\(bytes.dropFirst(30))")
        }
    }

    @Test func eventNamesCompareWhole() throws {
        func name(_ text: String) -> EventName? { Array(text.utf8).withUnsafeBytes { EventName($0) } }
        #expect(name("") == nil)
        #expect(name(String(repeating: "x", count: 65)) == nil)
        #expect(name("a\u{1}") == nil)
        let long = String(repeating: "x", count: 63)
        #expect(name(long + "y") == name(long + "y"))
        #expect(name(long + "y") != name(long + "z"))
        #expect(name("a") != name("a "))
        #expect(try #require(name("__SESSION__")).isSession)
        #expect(try !#require(name("__SESSION_")).isSession)
        #expect(try !#require(name("__SESSION__x")).isSession)
        let shown = try #require(name(long + "y"))
        #expect(written { shown.write(to: &$0) } == long + "y")
    }
}
