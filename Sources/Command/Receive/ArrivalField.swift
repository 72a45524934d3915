import SKANCommandModels
import SKANCommandOutput
import SKANCore
import SKANSystem

/// The member of a postback's object with its arrival time. Apple's signature does not cover it.
struct ArrivalField: Sendable {
    private let name: [UInt8]
    /// The current time, in microseconds since 1970.
    private let now: Int64

    init(_ name: [UInt8], now: Int64) {
        self.name = name
        self.now = now
    }

    /// The arrival time in microseconds since 1970. Throws if the member is missing, or is not a time at which a
    /// postback can have arrived.
    func moment(in postback: Bytes) throws(Failure) -> Int64 {
        let members: [JSONMember]
        do throws(JSONFault) { members = try JSONDocument(postback, allowsDuplicates: true).members } catch {
            throw Failure(.invalidDocument, error.description)
        }
        guard let value = members.last(where: { $0.key.withUTF8 { $0.elementsEqual(name) } })?.value else {
            throw wrong("is missing")
        }
        let text = value.string?.utf8 ?? [UInt8](value.text)
        let isTime = value.kind == .string || value.kind == .number
        guard isTime, let moment = numberTime(text) ?? utcMicroseconds(text) else {
            throw wrong("got \(text.withUnsafeBytes { "\(quoted: $0)" as Message })")
        }
        guard earliest...max(now, earliest) + day ~= moment else {
            throw wrong("got \(utcTime(moment / microseconds)), which is before 2018 or in the future")
        }
        return moment
    }

    private func wrong(_ what: Message) -> Failure {
        let expected: Message =
            "expected the time of arrival as 2026-01-31T10:00:00Z, Unix seconds or Unix milliseconds"
        return Failure(.invalidDocument, "\(Message(utf8: name)): \(expected); \(what)")
    }
}

private var microseconds: Int64 { 1_000_000 }
private var day: Int64 { Day.seconds * microseconds }
/// The start of 2018, the year in which Apple's devices sent the first postbacks.
private var earliest: Int64 { 1_514_764_800 * microseconds }
/// Smaller numbers are seconds, others are milliseconds. Seconds reach this number in the year 5138; milliseconds
/// passed it in 1973.
private var leastMilliseconds: Int64 { 100_000_000_000 }

/// Parses Unix seconds or milliseconds, and returns microseconds. Both may have a fraction; digits beyond microseconds
/// are ignored.
private func numberTime(_ text: [UInt8]) -> Int64? {
    let parts = text.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = parts.first, let whole = wholeNumber(ofDigits: [UInt8](first)) else { return nil }
    let fraction = parts.count > 1 ? parts[1] : []
    let isFraction = fraction.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    guard isFraction, parts.count == 1 || !fraction.isEmpty else { return nil }
    if whole < leastMilliseconds { return whole * microseconds + wholeNumber(ofFraction: fraction, places: 6) }
    guard readableTimes.contains(whole / 1000) else { return nil }
    return whole * 1000 + wholeNumber(ofFraction: fraction, places: 3)
}
