/// The limit that a connection exceeds: that of one client's connections, or that of all connections.
package enum ConnectionLimit: Sendable {
    case ofClient
    case ofAll
}

/// Counts, for each client, the connections above a limit since the client's last report. Reports are at least a minute
/// apart. Only a limited number of clients is remembered; all others share one note.
package struct ConnectionNotes {
    package struct Note {
        package let limit: ConnectionLimit
        /// nil for the limit of all clients, and for clients that share a note.
        package let client: ClientAddress?
        package fileprivate(set) var count: UInt64
        /// The time at which the note is logged, on the clock of `microsecondsNow`.
        fileprivate var due: UInt64
    }

    private var notes: [Note] = []

    /// The time between two reports in microseconds.
    static var pause: UInt64 { 60_000_000 }
    /// The maximum number of clients that are remembered.
    static var most: Int { 64 }

    init() {}

    /// `now` is on the clock of `microsecondsNow`.
    mutating func add(_ limit: ConnectionLimit, _ client: ClientAddress?, at now: UInt64) {
        let known = limit == .ofAll ? nil : client
        if count(limit, known) { return }
        let isFull = notes.count >= ConnectionNotes.most
        if isFull && count(limit, nil) { return }
        notes.append(Note(limit: limit, client: isFull ? nil : known, count: 1, due: now))
    }

    /// Returns the notes that are due. Forgets clients that had no connection above the limit for a minute.
    mutating func take(at now: UInt64) -> [Note] {
        let due = notes.filter { $0.due <= now && $0.count > 0 }
        notes.removeAll { $0.due <= now && $0.count == 0 }
        for index in notes.indices where notes[index].due <= now {
            notes[index].due = now + ConnectionNotes.pause
            notes[index].count = 0
        }
        return due
    }

    /// Returns all notes that have not been reported, for the end of the server.
    mutating func takeAll() -> [Note] {
        defer { notes = [] }
        return notes.filter { $0.count > 0 }
    }

    /// Adds 1 to the count of a client's note; returns false if there is no such note.
    private mutating func count(_ limit: ConnectionLimit, _ client: ClientAddress?) -> Bool {
        guard let place = notes.firstIndex(where: { $0.limit == limit && $0.client == client }) else { return false }
        notes[place].count += 1
        return true
    }
}
