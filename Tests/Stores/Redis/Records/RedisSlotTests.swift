import SKANCore
import SKANSystem
import Testing

@testable import SKANRedisRecords

/// Slots as Redis Cluster's specification has them, and how sets of them are written.
struct RedisSlotTests {
    private func bytes<Result>(_ text: String, _ body: (Bytes) throws -> Result) rethrows -> Result {
        try Array(text.utf8).withUnsafeBytes(body)
    }

    @Test func theChecksumIsThatOfTheSpecification() {
        #expect(bytes("123456789") { RedisSlot.checksum($0) } == 0x31C3)
        #expect(bytes("") { RedisSlot.checksum($0) } == 0)
    }

    /// Slots are those that `CLUSTER KEYSLOT` answers.
    @Test(arguments: [
        ("foo", 12182), ("{foo}bar", 12182), ("skan:{foo}", 12182), ("skan:{}", 12705), ("a{}{foo}", 700),
        ("{{foo}}", 13308),
        ("skan:{foo}}", 12182),
    ])
    func aKeyIsInTheSlotOfItsTag(_ key: String, _ slot: Int) { #expect(bytes(key) { RedisSlot.of($0) } == slot) }

    private func set(_ text: String) -> RedisSlotSet? { bytes(text) { RedisSlotSet($0[...]) } }

    private func text(_ set: RedisSlotSet?) -> String? {
        guard let set else { return nil }
        return String(decoding: Message(writing: { set.write(to: &$0) }).utf8, as: UTF8.self)
    }

    @Test(arguments: ["", "0", "16383", "0-16383", "1,3-5,64-127,129", "63-64"])
    func setsAreWrittenAsTheyAreRead(_ ranges: String) { #expect(text(set(ranges)) == ranges) }

    @Test(arguments: ["x", "1-", "-1", "5-3", "16384", "1-16384", "1 2"])
    func whatIsNoSetIsRefused(_ ranges: String) { #expect(text(set(ranges)) == nil) }

    @Test func setsAreAddedAndTakenAway() throws {
        var slots = try #require(set("0-100"))
        slots.formUnion(try #require(set("99-200")))
        slots.subtract(try #require(set("50-149")))
        #expect(text(slots) == "0-49,150-200")
        #expect(slots.contains(49) && !slots.contains(50) && !slots.isEmpty)
    }

    @Test(arguments: [
        "C 0 10.0.0.1:7000/* h 10.0.0.1:7000/0-16383", "C 17:0a9f [::1]:1/* b:2/5-9 h [::1]:1/0-4 b:2/",
        "C 17: a:1/* h a:1/0-16383",
    ])
    func cursorsAreWrittenAsTheyAreRead(_ cursor: String) {
        let written = bytes(cursor) { given in
            RedisClusterCursor(given).map { cursor in Message(writing: { cursor.write(to: &$0) }).utf8 }
        }
        #expect(written.map { String(decoding: $0, as: UTF8.self) } == cursor)
    }

    /// A server's cursor is good for the process that gave it.
    @Test(arguments: [
        ("0", "b", true), ("17:a", "a", true), ("17:a", "b", false), ("17:a", "", false), ("17:", "", true),
    ])
    func aScanGoesOnInTheSameProcess(_ text: String, _ run: String, _ goesOn: Bool) throws {
        let scan = try #require(bytes(text) { RedisScan($0[...]) })
        #expect(scan.goesOn(in: [UInt8](run.utf8)) == goesOn)
        #expect(String(decoding: Message(writing: { scan.write(to: &$0) }).utf8, as: UTF8.self) == text)
    }
}
