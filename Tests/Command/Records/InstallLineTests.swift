import SKANCore
import SKANSystem
import Testing

@testable import SKANCommandRecords

private func line(_ text: String, _ version: ProtocolVersion = .skan4) -> Result<InstallLine, Failure> {
    var text = text
    return text.withUTF8 { utf8 in
        do throws(Failure) { return .success(try InstallLine(Bytes(utf8), version)) } catch { return .failure(error) }
    }
}

private func refusal(_ text: String, _ version: ProtocolVersion = .skan4) -> String? {
    guard case .failure(let failure) = line(text, version) else { return nil }
    return String(decoding: failure.message.utf8, as: UTF8.self)
}

private func details(_ record: [UInt8]) throws -> String {
    try record.withUnsafeBytes {
        try InstallState(record: $0).withDetails { String(decoding: $0, as: UTF8.self) }
    }
}

private let registered = #"{"skan_first_call_to_skadnetwork_timestamp":1700000000,"p0_coarse":2}"#

@Test func detailsBecomeARecordThatTellsThem() throws {
    let made = try line(#"{"install_id":"a","details":\#(registered)}"#).get()
    #expect(made.id == [UInt8]("a".utf8))
    let told = try details(made.record)
    #expect(told.contains(#""skan_first_call_to_skadnetwork_timestamp":1700000000,"#))
    #expect(told.contains(#""p0_coarse":2,"#))
}

@Test func aRecordIsTakenToTheByteAndBeforeDetails() throws {
    let made = try line(#"{"install_id":"a","details":\#(registered)}"#).get()
    let text = String(decoding: made.record.withUnsafeBytes { Base64.standard.encode($0) }, as: UTF8.self)
    let again = try line(#"{"install_id":"b","details":{"p0_coarse":7},"record":"\#(text)"}"#).get()
    #expect(again.record == made.record)
}

@Test func ofAMemberThatIsThereTwiceTheLastCounts() throws {
    let made = try line(#"{"other":1,"install_id":"a","other":{"x":1,"x":2},"install_id":"b","details":{}}"#).get()
    #expect(made.id == [UInt8]("b".utf8))
    #expect(refusal(#"{"install_id":"a","details":{},"details":{}}"#) == "details: expected this key once")
    #expect(refusal(#"{"install_id":"a","details":{"p0_coarse":1,"p0_coarse":1}}"#)?.hasPrefix("details: json") == true)
}

@Test(arguments: [
    "", "{", "[]", "null", "17", "{} x", "{}{}", "{}\0", "{'install_id':\"a\"}", #"{"a":NaN}"#, #"{"a":1.}"#,
    String(repeating: "[", count: 100_000),
])
func whatIsNotOneObjectIsRefused(text: String) {
    #expect(refusal(text)?.hasPrefix("expected one JSON object: ") == true)
}

@Test(arguments: ["*", "QQ==QQ==", "QR==", "QUI", "QUL=", "Q===", "===="])
func twoTextsNeverMeanTheSameRecord(base64: String) {
    #expect(refusal(#"{"install_id":"a","record":"\#(base64)"}"#) == "record: expected base64")
}

@Test(arguments: [
    ("{}", "install_id: expected text"),
    (#"{"install_id":17}"#, "install_id: expected text"),
    (#"{"install_id":"\u0001"}"#, "an install id has no control characters"),
    (#"{"install_id":"a"}"#, #"expected a "record", or "details" that are an object"#),
    (#"{"install_id":"a","details":[]}"#, #"expected a "record", or "details" that are an object"#),
    (
        #"{"install_id":"a","details":{"skan_conversion_value":1}}"#,
        "details: they are of SKAN 3, which takes --protocol 3"
    ),
    (#"{"partner":"p","network":"n"}"#, "install_id: expected an install, found a line of skan outbox"),
    (
        #"{"jws-string":""}"#,
        "install_id: expected an install, found a postback of Apple's: skan receive takes these"
    ),
    (
        #"{"version":"4.0","attribution-signature":"x"}"#,
        "install_id: expected an install, found a postback of Apple's: skan receive takes these"
    ),
    (
        #"{"install_id":"a","record":"eyJvdXRib3giOjE="}"#,
        "record: expected an install, found an outbox entry: skan move takes records of every kind"
    ),
    (
        #"{"install_id":"a","record":"c2twYg=="}"#,
        "record: expected an install, found a postback: skan move takes records of every kind"
    ),
])
func aWrongLineIsToldWhatIsExpected(text: String, why: String) { #expect(refusal(text) == why) }

@Test func detailsOfTheOtherProtocolAreToldBySKAN3() {
    let line = #"{"install_id":"a","details":{"skan_current_conversion_value":1}}"#
    #expect(refusal(line, .skan3) == "details: they are of SKAN 4, which takes --protocol 4")
}

@Test func anInstallDoesNotStandUnderAPostbacksName() {
    let key = "postback/" + String(repeating: "0", count: 64)
    #expect(
        refusal(#"{"install_id":"\#(key)","details":{}}"#) == "an install under the name of a postback")
}
