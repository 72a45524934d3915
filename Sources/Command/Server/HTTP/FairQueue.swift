/// What waits for a bounded number of places, by client. One client has a quarter of the places at most; where all are
/// taken, the client that has the most loses its newest. A client that has nothing else under way has every second
/// turn; the other turns go from client to client.
struct FairQueue<Element> {
    /// What one client has.
    private struct Line {
        var waiting: [Element] = []
        var busy = 0

        var count: Int { waiting.count + busy }
    }

    /// The number of places for requests that wait and those that are worked on.
    private let places: Int
    private let placesOfClient: Int
    private var lines: [ClientAddress: Line] = [:]
    /// Clients that wait: those that had nothing else under way when they came, and the others.
    private var fresh: [ClientAddress] = []
    private var others: [ClientAddress] = []
    private var isTurnOfOthers = false
    private(set) var waiting = 0
    private(set) var busy = 0

    init(places: Int) {
        self.places = places
        placesOfClient = max(places / 4, 1)
    }

    var isEmpty: Bool { waiting == 0 }

    /// The number of clients that have something here.
    var clients: Int { lines.count }

    /// Whether one more of a client would get a place.
    func hasRoom(for client: ClientAddress) -> Bool {
        let own = lines[client]?.count ?? 0
        if own >= placesOfClient { return false }
        return waiting + busy < places || own + 1 < largest.count
    }

    /// Answers what has no place: the element itself, or one of another client that made room.
    mutating func add(_ element: Element, of client: ClientAddress) -> Element? {
        guard hasRoom(for: client) else { return element }
        let lost = waiting + busy < places ? nil : removeNewestOfLargest()
        if lines[client]?.waiting.isEmpty ?? true {
            if lines[client] == nil { fresh.append(client) } else { others.append(client) }
        }
        lines[client, default: Line()].waiting.append(element)
        waiting += 1
        return lost
    }

    /// What is to be worked on now; `finish` is told when that is done.
    mutating func next() -> (element: Element, client: ClientAddress)? {
        isTurnOfOthers.toggle()
        let isFresh = others.isEmpty || (!isTurnOfOthers && !fresh.isEmpty)
        if isFresh && fresh.isEmpty { return nil }
        let client = isFresh ? fresh.removeFirst() : others.removeFirst()
        guard var line = lines[client], !line.waiting.isEmpty else { return nil }
        let element = line.waiting.removeFirst()
        line.busy += 1
        if !line.waiting.isEmpty { others.append(client) }
        lines[client] = line
        waiting -= 1
        busy += 1
        return (element, client)
    }

    mutating func finish(_ client: ClientAddress) {
        busy -= 1
        lines[client]?.busy -= 1
        if lines[client]?.count == 0 { lines[client] = nil }
    }

    /// Removes and returns all waiting elements; those that are worked on stay.
    mutating func removeAll() -> [Element] {
        var removed: [Element] = []
        for client in fresh + others {
            removed += lines[client]?.waiting ?? []
            lines[client]?.waiting = []
            if lines[client]?.count == 0 { lines[client] = nil }
        }
        (fresh, others, waiting) = ([], [], 0)
        return removed
    }

    // MARK: The largest line

    /// The client that has the most, of those that wait, and how much.
    private var largest: (client: ClientAddress?, count: Int) {
        var largest: (client: ClientAddress?, count: Int) = (nil, 0)
        for (client, line) in lines where !line.waiting.isEmpty && line.count > largest.count {
            largest = (client, line.count)
        }
        return largest
    }

    private mutating func removeNewestOfLargest() -> Element? {
        guard let client = largest.client, let lost = lines[client]?.waiting.popLast() else { return nil }
        waiting -= 1
        if lines[client]?.waiting.isEmpty ?? true {
            fresh.removeAll { $0 == client }
            others.removeAll { $0 == client }
        }
        return lost
    }
}
