import SKANCommandStores
import SKANCore
import SKANSystem
import Testing

private let digits = String(repeating: "0123456789abcdef", count: 4)

private func withBytes<Result>(_ text: String, _ body: (Bytes) -> Result) -> Result {
    var text = text
    return text.withUTF8 { body(Bytes($0)) }
}

private func kind(_ record: String, under key: String = "player-1") -> RecordKind {
    withBytes(record) { record in withBytes(key) { RecordKind(of: record, under: $0) } }
}

private func problem(_ kind: RecordKind, under key: String) -> String? {
    withBytes(key) { kind.nameProblem($0) }.map { "\($0)" }
}

@Test func theFirstBytesTellTheKind() {
    #expect(kind("\u{1}") == .install)
    #expect(kind("\u{1}", under: "postback/" + digits) == .install)
    #expect(kind("\u{2}", under: "postback/" + digits) == .postback)
    #expect(kind("skpb") == .postback)
    #expect(kind("skpb", under: "refused/" + digits) == .refused)
    #expect(kind(#"{"outbox":1"#) == .outbox)
    #expect(kind("skmd\u{1}{}") == .model)
    #expect(kind("skmd", under: "postback/" + digits) == .model)
}

@Test func aDamagedRecordIsOfTheKindThatItsKeyIsMadeFor() {
    #expect(kind("") == .install)
    #expect(kind("?", under: "postback/" + digits) == .postback)
    #expect(kind("?", under: "refused/" + digits) == .refused)
    #expect(kind("?", under: "outbox/\(digits)/network/partner") == .outbox)
    #expect(kind("?", under: "model/" + digits) == .model)
    #expect(kind("?", under: "model/" + digits + "0") == .install)
    for key in ["postback/" + digits + "0", "postback/" + digits.uppercased(), "postback/", "outbox/\(digits)/a/"] {
        #expect(kind("?", under: key) == .install, "\(key)")
    }
    let long = String(repeating: "n", count: 25)
    #expect(kind("?", under: "outbox/\(digits)/\(long)/p") == .install)
    #expect(kind("?", under: "outbox/\(digits)/n/\(long)") == .install)
}

@Test func aKindStandsUnderItsOwnNamesOnly() {
    #expect(problem(.install, under: "player-1") == nil)
    #expect(problem(.install, under: "refused/" + digits) == "an install under the name of a postback")
    #expect(
        problem(.install, under: "outbox/\(digits)/n/p") == "an install under the name of an outbox entry")
    #expect(problem(.postback, under: "refused/" + digits) != nil)
    #expect(problem(.outbox, under: "outbox/\(digits)/n/p") == nil)
    #expect(problem(.outbox, under: "player-1") != nil)
    #expect(problem(.install, under: "model/" + digits) == "an install under the name of a model")
    #expect(problem(.model, under: "model/" + digits) == nil)
    #expect(problem(.model, under: "player-1") != nil)
}

@Test func countsAreToldByKind() {
    var counts = RecordCounts()
    #expect(counts.words.utf8 == [UInt8]("0 installs".utf8))
    counts.count(.outbox)
    #expect(counts.words.utf8 == [UInt8]("1 outbox entry".utf8))
    for _ in 0..<5 { counts.count(.install) }
    #expect(counts.words.utf8 == [UInt8]("5 installs and 1 outbox entry".utf8))
    counts.count(.postback)
    counts.count(.refused)
    #expect(counts.sum == 8)
    #expect(
        counts.words.utf8
            == [UInt8]("5 installs, 1 postback, 1 refused postback and 1 outbox entry".utf8))
}

@Test(arguments: [
    ("v2/app/user", "app", "idfv", "user"), ("v1/app/a/b", "app", "idfv", "a/b"), ("v2-idfa//u", "", "idfa", "u"),
    ("v1-idfa/x/y", "x", "idfa", "y"), ("v2-sing/x/y", "x", "sing", "y"), ("v1-sdid/x/y", "x", "sdid", "y"),
    ("v2-custom_user_id/x/y", "x", "custom_user_id", "y"),
])
func aKeyOfAServedUserTellsItsParts(key: String, app: String, sort: String, user: String) {
    withBytes(key) { key in
        let served = ServedUser(key)
        #expect(served?.app.elementsEqual(app.utf8) == true)
        #expect(served.map { "\($0.sort)" } == sort)
        #expect(served?.user.elementsEqual(user.utf8) == true)
    }
}

@Test(arguments: ["v3/app/user", "v2/app", "v2/app/", "v2", ""])
func anyOtherKeyIsNoServedUsers(key: String) { withBytes(key) { #expect(ServedUser($0) == nil) } }
