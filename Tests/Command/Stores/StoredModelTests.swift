import SKANCommandStores
import SKANCore
import SKANSystem
import Testing

private let document = #"{"schema":1,"id":"m","windows":[{"rules":[]},{"rules":[]},{"rules":[]}]}"#
/// The SHA-256 of the document, as sha256sum gives it.
private let key = "model/6c06f18da690050b88d84e08c730b33ceaa23425218ea5f6bc7ebc42b9699449"

private func read(_ record: [UInt8], under key: String) throws(Failure) -> StoredModel {
    try record.withBytes { record throws(Failure) in
        try [UInt8](key.utf8).withBytes { key throws(Failure) in try StoredModel(record, under: key) }
    }
}

/// Rules, "Kept models". A record that was stored once must be read for ever.
@Test func aModelsRecordIsItsDocumentBehindFiveBytes() throws {
    let record = [UInt8]("skmd\u{1}\(document)".utf8)
    #expect(StoredModel.record(of: [UInt8](document.utf8)) == record)
    let stored = try read(record, under: key)
    #expect(stored.document == [UInt8](document.utf8) && stored.model.id == [UInt8]("m".utf8))
    #expect(StoredModel.key(of: stored.model.version) == [UInt8](key.utf8))
}

@Test(arguments: [
    ("skmd\u{1}\(document) ", Status.corruptRecord), ("skmd\u{1}", .corruptRecord), ("skmd", .corruptRecord),
    ("skmd\u{2}\(document)", .recordTooNew), ("skmd\u{0}\(document)", .corruptRecord), ("", .corruptRecord),
])
func aRecordThatIsNotTheModelOfItsKeyIsRefused(record: String, status: Status) {
    #expect(throws: Failure.self) { try read([UInt8](record.utf8), under: key) }
    do throws(Failure) { _ = try read([UInt8](record.utf8), under: key) } catch { #expect(error.status == status) }
}
