package import SKANSystem

/// The part of an answer that has arrived in one attempt. Its size is bounded, whatever the server sends.
package struct HTTPAnswer {
    /// The body of an answer with status 200. The body of any other answer is read, so that the connection can be used
    /// again, but not kept.
    package private(set) var body: [UInt8] = []
    package private(set) var headerBytes = 0
    package private(set) var bodyBytes = 0
    /// The time in the header Retry-After, in milliseconds from now; nil if there is none.
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

    /// Returns false if the headers are too large.
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

    mutating func takeWholeBody() -> [UInt8] {
        defer { body = [] }
        return body
    }
}
