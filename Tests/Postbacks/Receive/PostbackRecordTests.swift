import SKANCore
import SKANPostbackVerification
import Testing

@testable import SKANPostbackReceiving

private func record(of body: [UInt8], model: SHA256? = nil) throws -> [UInt8] {
    let postback = try verified(body)
    var record = PostbackRecord(
        PostbackWriteID(low: 0x0706_0504_0302_0100, high: 0x0F0E_0D0C_0B0A_0908), postback.verdict,
        received: 1_700_000_000_000_000, network: Array("n".utf8))
    record.decoding = .decoded
    record.time = ConversionTime(from: 1, until: -2)
    record.model = model
    return bytes(record.bytes(postback.body))
}

private func read(_ bytes: [UInt8]) throws -> (record: PostbackRecord, body: [UInt8]) {
    try bytes.withUnsafeBufferPointer { bytes throws(Failure) in
        let (record, body) = try PostbackRecord.read(UnsafeRawBufferPointer(bytes))
        return (record, [UInt8](body))
    }
}

@Test func aRecordHasTheseBytes() throws {
    let model = SHA256(words: [0x0001_0203, 4, 5, 6, 7, 8, 9, 0xA0A1_A2A3])
    let bytes = try record(of: Array("{}".utf8), model: model)
    var expected: [UInt8] = Array("skpb".utf8) + [1, 4, 0, 1, 2] + Array(0...15)
    expected += [0x00, 0x40, 0x1E, 0x18, 0x24, 0x0A, 0x06, 0x00]
    expected += [1, 0, 0, 0, 0, 0, 0, 0, 0xFE, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]
    expected += [0, 1, 2, 3, 0, 0, 0, 4, 0, 0, 0, 5, 0, 0, 0, 6, 0, 0, 0, 7, 0, 0, 0, 8, 0, 0, 0, 9]
    expected += [0xA0, 0xA1, 0xA2, 0xA3] + [1] + Array("n".utf8) + [2, 0, 0, 0] + Array("{}".utf8)
    #expect(bytes.dropLast(8) == expected[...])
}

@Test func aRecordIsReadAsItWasWritten() throws {
    let body = try Sample.counted()
    let (read, told) = try read(record(of: body, model: SHA256(of: UnsafeRawBufferPointer(start: nil, count: 0))))
    #expect(told == body)
    #expect(read.verdict == PostbackVerdict(result: .valid, omitsSourceApp: false))
    #expect(read.outcome == .counted && read.decoding == .decoded)
    #expect(read.received == 1_700_000_000_000_000)
    #expect(read.time == ConversionTime(from: 1, until: -2))
    #expect(read.model == SHA256(of: UnsafeRawBufferPointer(start: nil, count: 0)))
    #expect(read.network == Array("n".utf8))
    let postback = body.withUnsafeBytes { VerifiedPostback(restoring: $0, read.verdict) }
    #expect(postback.result == .valid)
    #expect(text(postback.key) == text(try verified(body).key))
}

@Test func aDamagedRecordIsNotTrusted() throws {
    let whole = try record(of: Array("{}".utf8))
    for index in whole.indices {
        for bit in [UInt8(0x01), 0x80] {
            var damaged = whole
            damaged[index] ^= bit
            let status: Status = index == 4 && damaged[4] > 1 ? .recordTooNew : .corruptRecord
            #expect { try read(damaged) } throws: { ($0 as? Failure)?.status == status }
        }
        #expect { try read(Array(whole[..<index])) } throws: { ($0 as? Failure)?.status == .corruptRecord }
    }
}

/// What is refused stays as it was found, and what was counted too.
@Test func aVerdictOutlivesTheRules() throws {
    let body = try Sample.invalid()
    for result in [PostbackResult.valid, .invalid, .unverifiable, .development, .malformed] {
        let verdict = PostbackVerdict(result: result, omitsSourceApp: false)
        let postback = body.withUnsafeBytes { VerifiedPostback(restoring: $0, verdict) }
        #expect(postback.verdict == verdict)
        let isRefused = result == .malformed || result == .unverifiable
        #expect(text(postback.problem) == (isRefused ? "was so when it was received" : nil))
        #expect(postback.problemField?.description == (isRefused ? "version" : nil))
        #expect((postback.key == nil) == (result == .malformed))
        #expect(signedFields(postback).isEmpty != result.isProven)
    }
}
