/// A queue of the requests whose next attempt begins once fewer attempts than the limit are under way.
struct WaitingRequests {
    private var requests: [HTTPRequest] = []
    /// The index of the first request that was not yet taken.
    private var head = 0

    mutating func append(_ request: HTTPRequest) {
        request.isWaiting = true
        requests.append(request)
    }

    /// Takes the first request that has not ended meanwhile.
    mutating func takeFirst() -> HTTPRequest? {
        while head < requests.count {
            let request = requests[head]
            head += 1
            if head * 2 > requests.count {
                requests.removeFirst(head)
                head = 0
            }
            guard request.isWaiting else { continue }
            request.isWaiting = false
            return request
        }
        return nil
    }
}
