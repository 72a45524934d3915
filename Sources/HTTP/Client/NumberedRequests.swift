/// The requests of a client that have not ended, by number.
struct NumberedRequests {
    /// The requests in ascending order of their numbers. A request that has ended is nil.
    private var entries: [(number: UInt64, request: HTTPRequest?)] = []
    private var ended = 0

    /// The request's number must be greater than all earlier ones.
    mutating func append(_ request: HTTPRequest) { entries.append((request.number, request)) }

    /// nil if the request has ended or never existed.
    subscript(number: UInt64) -> HTTPRequest? {
        let index = index(of: number)
        return index < entries.count && entries[index].number == number ? entries[index].request : nil
    }

    /// Drops the empty entries once they are more than half of all.
    mutating func remove(_ request: HTTPRequest) {
        let index = index(of: request.number)
        guard index < entries.count, entries[index].request === request else { return }
        entries[index].request = nil
        ended += 1
        guard ended * 2 > entries.count else { return }
        entries.removeAll { $0.request == nil }
        ended = 0
    }

    /// Drops all requests without freeing them.
    mutating func abandon() {
        for entry in entries {
            if let request = entry.request { _ = Unmanaged.passRetained(request) }
        }
        entries = []
        ended = 0
    }

    /// The index of the first entry whose number is not below `number`.
    private func index(of number: UInt64) -> Int {
        var low = 0
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].number < number { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
