package import SKANSystem

/// What has come of an answer in one attempt, bounded whatever the server sends.
package struct HTTPAnswer {
    /// The body of an answer with status 200. The body of a refusal is read, so that the connection can be used again,
    /// but not kept.
    package private(set) var body: [UInt8] = []
    package private(set) var headerBytes = 0
    package private(set) var bodyBytes = 0
    /// Milliseconds; nil where the answer does not say.
    package private(set) var retryAfter: Int64?
    package private(set) var hasTooLargeHeaders = false
    package private(set) var hasTooLargeBody = false

    package init() {}

    package mutating func removeAll() {
        body.removeAll(keepingCapacity: true)
        headerBytes = 0
        bodyBytes = 0
        retryAfter = nil
        hasTooLargeHeaders = false
        hasTooLargeBody = false
    }

    /// False: the answer goes on for too long.
    package mutating func takeHeader(_ line: Bytes) -> Bool {
        guard line.count <= HTTPLimits.headerBytes - headerBytes else {
            hasTooLargeHeaders = true
            return false
        }
        headerBytes += line.count
        if let asked = RetryAfter.milliseconds(line: line) { retryAfter = asked }
        return true
    }

    package mutating func takeBody(_ piece: Bytes, status: Int) -> Bool {
        guard piece.count <= HTTPLimits.bodyBytes - bodyBytes else {
            hasTooLargeBody = true
            return false
        }
        bodyBytes += piece.count
        if status == 200 { body.append(contentsOf: piece) }
        return true
    }

    /// Gives up the body.
    mutating func takeWholeBody() -> [UInt8] {
        defer { body = [] }
        return body
    }
}
