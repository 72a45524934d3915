import SKANCommandStores
import SKANCore
import SKANPostbackVerification
import SKANSystem
import Testing

@testable import SKANCommandReport
@testable import SKANCommandRows
@testable import SKANTruth
@testable import SKANPostbackReceiving

/// A store that lists a key more than once, as Redis may while others write.
@Test func aPostbackWhoseKeyIsListedAgainIsReadOnce() throws {
    let key = postbackKeyText("refused/", 1)
    let verdict = PostbackVerdict(result: .malformed, omitsSourceApp: false)
    let record = PostbackRecord(try .draw(), verdict, received: 1, network: [])
    let shelf = Shelf([key: Array("{}".utf8).withUnsafeBytes { bytes(of: record.bytes($0)) }])
    let store = try shelf.openedByCommand()
    let (once, again) = (StoredPostbacks(listsEachKeyOnce: true), StoredPostbacks(listsEachKeyOnce: false))
    var reads = (once: 0, again: 0)
    for _ in 0..<2 {
        let batch = RecordBatch()
        #expect(key.withUnsafeBytes { batch.add($0) })
        batch.load(from: store)
        once.read(batch) { _ in reads.once += 1 }
        again.read(batch) { _ in reads.again += 1 }
    }
    #expect(reads.once == 2 && reads.again == 1)
}
