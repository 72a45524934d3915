/// What a connection is above.
package enum ConnectionLimit: Sendable {
    /// Connections of one client.
    case ofClient
    /// Connections of all clients.
    case ofAll
}

/// The number of connections above a limit since the last report, for each client; a report is made once a minute. Only
/// so many clients are remembered: all others share one note.
package struct ConnectionNotes {
    package struct Note {
        package let limit: ConnectionLimit
        /// nil for the limit of all clients, and for clients that are not remembered one by one.
        package let client: ClientAddress?
        package fileprivate(set) var count: UInt64
        /// The time at which it is logged, `microsecondsNow`.
        fileprivate var due: UInt64
    }

    private var notes: [Note] = []

    /// Microseconds.
    static var pause: UInt64 { 60_000_000 }
    /// Clients that are remembered.
    static var most: Int { 64 }

    init() {}

    /// The time is `microsecondsNow`.
    mutating func add(_ limit: ConnectionLimit, _ client: ClientAddress?, at now: UInt64) {
        let known = limit == .ofAll ? nil : client
        if count(limit, known) { return }
        let isFull = notes.count >= ConnectionNotes.most
        if isFull && count(limit, nil) { return }
        notes.append(Note(limit: limit, client: isFull ? nil : known, count: 1, due: now))
    }

    /// Returns the notes that are due. A client that had no connection above the limit for a minute is forgotten.
    mutating func take(at now: UInt64) -> [Note] {
        let due = notes.filter { $0.due <= now && $0.count > 0 }
        notes.removeAll { $0.due <= now && $0.count == 0 }
        for index in notes.indices where notes[index].due <= now {
            notes[index].due = now + ConnectionNotes.pause
            notes[index].count = 0
        }
        return due
    }

    /// Returns the notes that have not been reported, when the server ends.
    mutating func takeAll() -> [Note] {
        defer { notes = [] }
        return notes.filter { $0.count > 0 }
    }

    /// Counts one more in the note of a limit and client; false: there is no such note.
    private mutating func count(_ limit: ConnectionLimit, _ client: ClientAddress?) -> Bool {
        guard let place = notes.firstIndex(where: { $0.limit == limit && $0.client == client }) else { return false }
        notes[place].count += 1
        return true
    }
}
