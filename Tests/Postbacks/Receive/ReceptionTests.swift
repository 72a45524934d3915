import Foundation
import SKANCore
import SKANPostbackVerification
import Testing

@testable import SKANPostbackReceiving

/// A store that answers saves as a test says, and counts what is asked of it.
private struct Shelf {
    enum Answer {
        case work, fail
        /// The record is stored, or not, and the answer does not tell.
        case applyAndLose, dropAndLose
        /// The answer does not tell, and the record is stored when the next save comes.
        case late
        /// A conflict; before it, another made the record, or nobody did.
        case afterAnother, conflictWithNothing
    }

    var records: [[UInt8]: [UInt8]] = [:]
    /// The answers of the next saves; then `work`.
    var plan: [Answer] = []
    /// The record of another who comes first.
    var another: [UInt8] = []
    private var late: (key: [UInt8], record: [UInt8])?
    var loadsFail = false
    var saves = 0
    var loads = 0

    mutating func save(_ key: [UInt8], _ record: [UInt8]) -> Status {
        saves += 1
        let answer = plan.isEmpty ? .work : plan.removeFirst()
        if let late, records[late.key] == nil { records[late.key] = late.record }
        late = nil
        switch answer {
        case .late:
            late = (key, record)
            return .storeUnknown
        case .afterAnother:
            records[key] = another
            return .storeConflict
        case .conflictWithNothing:
            return .storeConflict
        case .fail:
            return .store
        case .dropAndLose:
            return .storeUnknown
        case .work, .applyAndLose:
            guard records[key] == nil else { return answer == .work ? .storeConflict : .storeUnknown }
            records[key] = record
            return answer == .work ? .ok : .storeUnknown
        }
    }

    /// Carries out what a reception asks for.
    mutating func take(_ reception: Reception) throws(Failure) {
        reception.begin()
        while true {
            switch reception.next() {
            case .save:
                reception.saved(save(bytes(reception.key()), bytes(reception.recordBytes())))
            case .load:
                loads += 1
                if loadsFail {
                    reception.loadFailed()
                } else if let record = records[bytes(reception.key())] {
                    record.withUnsafeBytes { reception.loaded($0, version: 1) }
                } else {
                    reception.loaded(nil, version: 0)
                }
            case .remove, .done:
                if let failure = reception.failure { throw failure }
                return
            }
        }
    }
}

private struct Received {
    let outcome: PostbackOutcome
    let isKept: Bool
    let key: String
}

private let arrival: Int64 = 1_700_000_000_000_000

extension PostbackReceiver<ConversionModel> {
    fileprivate convenience init(
        keys: PostbackKeySet? = nil, refusedBytes: UInt64 = .max, scope: PostbackScope = .everything
    ) throws {
        self.init(
            keys: try keys ?? .apple(), scope: scope, installs: PostbackModels([]), reengagements: PostbackModels([]),
            refusedBytes: refusedBytes)
    }

    fileprivate func receive(
        _ body: [UInt8], from network: String = "", at moment: Int64 = arrival, into shelf: inout Shelf
    ) throws -> Received {
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: body.count, alignment: 1)
        defer { copy.deallocate() }
        copy.copyBytes(from: body)
        let postback = try verified(UnsafeRawBufferPointer(copy))
        let reception = arrived(postback, from: Array(network.utf8), at: moment, try .draw())
        try shelf.take(reception)
        return Received(
            outcome: reception.record.outcome, isKept: reception.isKept,
            key: String(decoding: bytes(reception.key()), as: UTF8.self))
    }
}

@Test func aPostbackIsCountedOnce() throws {
    let receiver = try PostbackReceiver()
    var shelf = Shelf()
    let first = try receiver.receive(Sample.counted(), into: &shelf)
    #expect(first.outcome == .counted && first.isKept)
    #expect(first.key.hasPrefix("postback/"))
    #expect(shelf.saves == 1 && shelf.loads == 0)
    let again = try receiver.receive(Sample.counted(), into: &shelf)
    #expect(again.outcome == .duplicate && !again.isKept)
    #expect(again.key == first.key)
    let spaced = try receiver.receive(Sample.counted() + Array(" ".utf8), into: &shelf)
    #expect(spaced.outcome == .duplicate)
    let other = try receiver.receive(Sample.counted(["country-code": "DE"]), into: &shelf)
    #expect(other.outcome == .conflict && other.isKept)
    #expect(other.key.hasPrefix("refused/"))
    #expect(shelf.records.count == 2)
    // What is out of range counts as absent, here too.
    let outOfRange = try receiver.receive(Sample.counted(["conversion-value": 64, "country-code": "DE"]), into: &shelf)
    #expect(outOfRange.outcome == .conflict)
    var another = Shelf()
    #expect(try receiver.receive(Sample.counted(["conversion-value": 99]), into: &another).outcome == .counted)
    #expect(try receiver.receive(Sample.counted(["conversion-value": NSNull()]), into: &another).outcome == .duplicate)
}

/// Values that no signature covers, each by itself; a conversion type belongs to AdAttributionKit.
@Test func aCopyWithAnotherConversionTypeIsAConflict() throws {
    let receiver = try PostbackReceiver(keys: Signer.shared.keys)
    var shelf = Shelf()
    for (type, outcome) in [
        (#""download""#, PostbackOutcome.counted), (#""download""#, .duplicate), (#""redownload""#, .conflict),
        (nil, .conflict),
    ] {
        #expect(try receiver.receive(Signer.shared.kit(type), into: &shelf).outcome == outcome)
    }
}

/// A refused copy that is in the store takes no more of the budget.
@Test func copiesOfARefusedOneTakeOnePlace() throws {
    let receiver = try PostbackReceiver(refusedBytes: 2 * 5121)
    var shelf = Shelf()
    for _ in 0..<4 { #expect(try receiver.receive([1], into: &shelf).isKept) }
    #expect(try receiver.receive([2], into: &shelf).isKept)
    #expect(try !receiver.receive([3], into: &shelf).isKept)
    #expect(shelf.records.count == 2)
}

/// Whoever has one postback of Apple's can send it with spaces, and with any value that no signature covers.
@Test func aSignedOneIsKeptApartOnceForEachValue() throws {
    let receiver = try PostbackReceiver(refusedBytes: 15_000, scope: PostbackScope(apps: [1], adNetworks: []))
    var shelf = Shelf()
    for country in 0..<26 {
        let code = "A" + String(UnicodeScalar(UInt8(65 + country)))
        let body = try Sample.counted(["country-code": code, "conversion-value": 5])
        #expect(try receiver.receive(body, into: &shelf).isKept)
        #expect(try receiver.receive(body + [UInt8](repeating: 32, count: country), into: &shelf).isKept)
    }
    #expect(shelf.records.count == 1)
    #expect(try receiver.receive(Sample.counted(["conversion-value": 6]), into: &shelf).isKept)
    #expect(try !receiver.receive(Sample.counted(["conversion-value": 7]), into: &shelf).isKept)
    #expect(shelf.records.count == 2)
}

@Test func whatIsNotValidIsKeptApart() throws {
    let receiver = try PostbackReceiver()
    var shelf = Shelf()
    for body in [try Sample.invalid(), Array("{}".utf8), []] {
        for _ in 0..<2 {
            let received = try receiver.receive(body, into: &shelf)
            #expect(received.outcome == .refused && received.isKept)
            #expect(received.key.hasPrefix("refused/"))
        }
    }
    #expect(try receiver.receive(Sample.counted(), from: "nobody.example", into: &shelf).outcome == .otherNetwork)
    #expect(shelf.records.count == 4)
}

/// The sample is of app 525463029 and com.example.
@Test(arguments: [
    (apps: [], adNetworks: [], outcome: PostbackOutcome.counted),
    ([525463029], [], .counted),
    ([1, 525463028, 525463030, .max], [], .otherApp),
    ([900, 525463029, 7], ["zzz", "com.example", "com.exampl", "com.examples"], .counted),
    ([525463029], ["com.exampl", "com.examples", "COM.EXAMPLE"], .otherNetwork),
    ([], ["com.example"], .counted),
    ([7], ["nobody.example"], .otherApp),
])
private func onlyWhatIsOursIsCounted(
    _ subject: (apps: [Int64], adNetworks: [String], outcome: PostbackOutcome)
) throws {
    let scope = PostbackScope(apps: subject.apps, adNetworks: subject.adNetworks.flatMap { Array($0.utf8) + [0] })
    let receiver = try PostbackReceiver(scope: scope)
    var shelf = Shelf()
    let received = try receiver.receive(Sample.counted(), into: &shelf)
    #expect(received.outcome == subject.outcome && received.isKept)
    #expect(received.key.hasPrefix(subject.outcome == .counted ? "postback/" : "refused/"))
    // What was another's once can be ours later: the receiver was told of the app meanwhile.
    #expect(try PostbackReceiver().receive(Sample.counted(), into: &shelf).outcome != .conflict)
    #expect(try receiver.receive(Sample.invalid(), into: &shelf).outcome == .refused)
}

@Test(arguments: [
    (plan: [Shelf.Answer.fail], loadsFail: false, status: Status.store, records: 0),
    ([.applyAndLose], false, .ok, 1),
    ([.dropAndLose], false, .ok, 1),
    ([.dropAndLose, .fail], false, .storeUnknown, 0),
    ([.dropAndLose, .applyAndLose], false, .ok, 1),
    ([.late], false, .ok, 1),
    ([.late, .late], false, .ok, 1),
    ([.conflictWithNothing], true, .store, 0),
    ([Shelf.Answer](repeating: .conflictWithNothing, count: 3000), false, .storeConflict, 0),
    ([.applyAndLose], true, .storeUnknown, 1),
    ([.dropAndLose], true, .storeUnknown, 0),
    ([Shelf.Answer](repeating: .dropAndLose, count: 3000), false, .storeUnknown, 0),
    ([Shelf.Answer](repeating: .dropAndLose, count: 99), false, .ok, 1),
])
private func theEndTellsWhatIsStored(
    _ subject: (plan: [Shelf.Answer], loadsFail: Bool, status: Status, records: Int)
) throws {
    let receiver = try PostbackReceiver()
    var shelf = Shelf()
    shelf.plan = subject.plan
    shelf.loadsFail = subject.loadsFail
    do {
        let received = try receiver.receive(Sample.counted(), into: &shelf)
        #expect(subject.status == .ok)
        #expect(received.outcome == .counted && received.isKept)
    } catch let failure as Failure {
        #expect(failure.status == subject.status)
        let words = String(decoding: failure.message.utf8, as: UTF8.self)
        if subject.status == .store { #expect(words.hasPrefix("store: a hook of \"postback/")) }
        if subject.status == .storeUnknown { #expect(words.hasPrefix("store.save: a write may")) }
        #expect(words.contains("\" answered SKAN_ERROR_STORE") || subject.status == .storeConflict)
    }
    #expect(shelf.records.count == subject.records)
    (shelf.plan, shelf.loadsFail) = ([], false)
    let again = try receiver.receive(Sample.counted(), into: &shelf).outcome
    #expect(again == (subject.records == 1 ? .duplicate : .counted))
    #expect(shelf.records.count == 1)
}

/// A postback that another one stored first is not ours, even if the first save's end is not known.
@Test(arguments: [[.afterAnother], [.dropAndLose, .afterAnother]] as [[Shelf.Answer]])
private func whoCameBeforeWasFirst(_ plan: [Shelf.Answer]) throws {
    let receiver = try PostbackReceiver()
    for (body, outcome) in [
        (try Sample.counted(), PostbackOutcome.duplicate),
        (try Sample.counted(["country-code": "DE"]), .conflict),
    ] {
        var (theirs, shelf) = (Shelf(), Shelf())
        let key = Array(try receiver.receive(body, into: &theirs).key.utf8)
        shelf.another = try #require(theirs.records[key])
        shelf.plan = plan
        #expect(try receiver.receive(Sample.counted(), into: &shelf).outcome == outcome)
        #expect(shelf.records[key] == shelf.another)
    }
}

@Test func whatCannotBeKeptApartForCertainIsAnError() throws {
    let receiver = try PostbackReceiver(refusedBytes: 5121)
    var shelf = Shelf()
    shelf.plan = [.fail]
    #expect(throws: Failure.self) { try receiver.receive([], into: &shelf) }
    shelf.plan = [Shelf.Answer](repeating: .dropAndLose, count: 3000)
    #expect(throws: Failure.self) { try receiver.receive([], into: &shelf) }
    (shelf.plan, shelf.loadsFail) = ([.dropAndLose], true)
    #expect(throws: Failure.self) { try receiver.receive([], into: &shelf) }
    (shelf.plan, shelf.loadsFail) = ([], false)
    // None took the place of one that is kept.
    #expect(try receiver.receive([], into: &shelf).isKept)
    #expect(try !receiver.receive([1], into: &shelf).isKept)
}

/// Rules, "Unknown saves": what was stored is found, and takes its place once.
@Test(arguments: [[.dropAndLose], [.applyAndLose], [.late], [.dropAndLose, .applyAndLose]] as [[Shelf.Answer]])
private func whatWasRefusedIsKeptOnceAfterAnUnknownSave(_ plan: [Shelf.Answer]) throws {
    let receiver = try PostbackReceiver(refusedBytes: 5121)
    var shelf = Shelf()
    shelf.plan = plan
    #expect(try receiver.receive([], into: &shelf).isKept)
    #expect(shelf.records.count == 1)
    #expect(try !receiver.receive([1], into: &shelf).isKept)
}

@Test func aRecordThatIsNoneIsLeftAlone() throws {
    let receiver = try PostbackReceiver()
    var shelf = Shelf()
    let key = Array(try receiver.receive(Sample.counted(), into: &shelf).key.utf8)
    shelf.records[key] = Array("skpb\u{2}".utf8)
    #expect { try receiver.receive(Sample.counted(), into: &shelf) } throws: {
        ($0 as? Failure)?.status == .recordTooNew
    }
    shelf.records[key] = []
    #expect { try receiver.receive(Sample.counted(), into: &shelf) } throws: {
        ($0 as? Failure)?.status == .corruptRecord
    }
    #expect(shelf.records[key] == [])
}
