import SKANCommandModels
import SKANCommandOutput
import SKANCore
import SKANSystem

/// Reads the time of arrival from a member of a postback's object. Apple's signature does not cover that member.
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
        let value = members.last { $0.key.withUTF8 { $0.elementsEqual(name) } }.map { ColumnValue($0.value) }
        return try moment(of: value, in: Message(utf8: name))
    }

    /// Returns the time of arrival in the value of a column, in microseconds since 1970. Throws if the value is nil, or
    /// is not a time at which a postback can have arrived. `place` names the column in messages.
    func moment(of value: ColumnValue?, in place: Message) throws(Failure) -> Int64 {
        func wrong(_ what: Message) -> Failure {
            let expected: Message = "expected the time of arrival, such as 2026-01-31T10:00:00Z or Unix seconds"
            return Failure(.invalidDocument, "\(place): \(expected), \(what)")
        }
        guard let value else { throw wrong("got nothing") }
        let isTime = value.kind == .string || value.kind == .number
        guard isTime, let moment = unixMicroseconds(value.text) ?? storedMicroseconds(value.text) else {
            throw wrong("got \(value.text.withUnsafeBytes { "\(quoted: $0)" as Message })")
        }
        guard earliest...max(now, earliest) + day ~= moment else {
            throw wrong("got \(utcTime(moment / microseconds)), which is before 2018 or in the future")
        }
        return moment
    }
}

private var microseconds: Int64 { 1_000_000 }
private var day: Int64 { Day.seconds * microseconds }
/// The start of 2018, the year in which Apple's devices sent the first postbacks.
private var earliest: Int64 { 1_514_764_800 * microseconds }

/// Parses a time since 1970 in seconds, milliseconds, microseconds or nanoseconds, which its size tells apart, and
/// returns microseconds. The time may have a fraction; digits beyond microseconds are ignored.
private func unixMicroseconds(_ text: [UInt8]) -> Int64? {
    let parts = text.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = parts.first, let whole = wholeNumber(ofDigits: [UInt8](first)) else { return nil }
    let fraction = parts.count > 1 ? parts[1] : []
    let isFraction = fraction.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    guard isFraction, parts.count == 1 || !fraction.isEmpty else { return nil }
    switch whole {
    case ..<leastMilliseconds: return whole * microseconds + wholeNumber(ofFraction: fraction, places: 6)
    case ..<(leastMilliseconds * 1000): return whole * 1000 + wholeNumber(ofFraction: fraction, places: 3)
    case ..<(leastMilliseconds * microseconds): return whole
    default: return whole / 1000
    }
}

/// The least number that is read as milliseconds; smaller ones are seconds. Seconds reach this number in the year 5138;
/// milliseconds passed it in 1973. A thousand times this number separates milliseconds from microseconds, and so on.
private var leastMilliseconds: Int64 { 100_000_000_000 }
