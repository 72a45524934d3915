/// Requests ordered by the time at which each must be acted on, in a binary heap with the earliest request first.
struct DueRequests {
    private var heap: [HTTPRequest] = []

    var first: HTTPRequest? { heap.first }

    var isEmpty: Bool { heap.isEmpty }

    mutating func insert(_ request: HTTPRequest) {
        request.place = heap.count
        heap.append(request)
        rise(from: request.place)
    }

    mutating func remove(_ request: HTTPRequest) {
        let place = request.place
        request.place = -1
        guard let last = heap.popLast(), last !== request else { return }
        put(last, at: place)
        update(last)
    }

    /// Restores the order after a request's `actsAt` has changed.
    mutating func update(_ request: HTTPRequest) {
        rise(from: request.place)
        sink(from: request.place)
    }

    private mutating func rise(from start: Int) {
        var place = start
        while place > 0, heap[place].actsAt < heap[(place - 1) / 2].actsAt {
            swap(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }

    private mutating func sink(from start: Int) {
        var place = start
        while true {
            var least = place
            for child in 2 * place + 1...2 * place + 2 where child < heap.count {
                if heap[child].actsAt < heap[least].actsAt { least = child }
            }
            if least == place { return }
            swap(place, least)
            place = least
        }
    }

    private mutating func swap(_ one: Int, _ other: Int) {
        let request = heap[one]
        put(heap[other], at: one)
        put(request, at: other)
    }

    private mutating func put(_ request: HTTPRequest, at place: Int) {
        heap[place] = request
        request.place = place
    }
}
