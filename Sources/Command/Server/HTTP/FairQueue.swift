/// A queue with a limited number of places, shared fairly between clients. A client has at most a quarter of the
/// places. When all places are taken, a new element replaces the newest waiting element of the client with the most
/// elements. The queue takes elements alternately from two groups of clients: those whose oldest waiting element was
/// added when they had no other element here, and all others. Within a group, clients take turns.
struct FairQueue<Element> {
    /// The elements of one client.
    private struct Line {
        var waiting: [Element] = []
        var busy = 0

        var count: Int { waiting.count + busy }
    }

    /// The number of places, for waiting elements and those in progress.
    private let places: Int
    private let placesOfClient: Int
    private var lines: [ClientAddress: Line] = [:]
    /// The first group: clients whose oldest waiting element was added when they had no other element here.
    private var fresh: [ClientAddress] = []
    /// The second group: all other clients with waiting elements.
    private var others: [ClientAddress] = []
    private var isTurnOfOthers = false
    private(set) var waiting = 0
    private(set) var busy = 0

    init(places: Int) {
        self.places = places
        placesOfClient = max(places / 4, 1)
    }

    var isEmpty: Bool { waiting == 0 }

    /// The number of clients with elements that wait or are in progress.
    var clients: Int { lines.count }

    /// Whether another element of this client would get a place, if necessary that of another client's element.
    func hasRoom(for client: ClientAddress) -> Bool {
        let own = lines[client]?.count ?? 0
        if own >= placesOfClient { return false }
        return waiting + busy < places || own + 1 < largest.count
    }

    /// Adds an element. Returns the element that got no place, if any: this one, or another client's that was removed
    /// to make room.
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

    /// Takes the next element to work on. When the work is done, call `finish`.
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

    /// Removes and returns all waiting elements, but not those in progress.
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

    /// The client with the most elements, waiting or in progress. Clients without waiting elements are left out.
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
