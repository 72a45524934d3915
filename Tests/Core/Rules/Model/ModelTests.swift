import SKANCore
import Testing

/// The parts of conversion models that vectors do not reach by themselves.
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
        let isChanged = model.add(place, in: window)
        #expect(isChanged == isChange)
    }

    @Test func whatAnInstallKeepsReadsBack() throws {
        var model = InstallModel(ModelTests.version)
        #expect(model.stored.count == 34)
        for place in [0, 0, 3, 64, 3] { count(place, .second, &model) }
        for _ in 0..<200 { count(1, .second, &model) }
        let bytes = model.stored
        let read = try #require(bytes.withUnsafeBytes { InstallModel(stored: $0) })
        #expect(read.version == ModelTests.version)
        #expect(read.isOf(ModelTests.version))
        #expect(read.window == .second)
        for place in 0...64 { #expect(read.count(place, in: .second) == model.count(place, in: .second)) }
        #expect((read.count(0, in: .second), read.count(1, in: .second)) == (2, 200))
        #expect(read.count(0, in: .third) == 0)
        #expect(read.stored == bytes)
    }

    /// As they are in the record: seven bits a byte, the lowest first.
    @Test(arguments: [
        (1, "01"), (126, "7e"), (127, "7f"), (128, "8001"), (129, "8101"), (255, "ff01"), (256, "8002"),
        (16_383, "ff7f"), (16_384, "808001"),
    ])
    func aCountTakesABytePerSevenBits(_ number: UInt32, _ written: String) throws {
        var model = InstallModel(ModelTests.version)
        for _ in 0..<number { _ = model.add(0, in: .first) }
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
        #expect(name(String(repeating: "x", count: 33)) == nil)
        #expect(name("a\u{1}") == nil)
        let long = String(repeating: "x", count: 31)
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
