internal import CSKANSQLite3
internal import CSKANSystem
package import SKANCore
internal import SKANStorePool
internal import SKANSystem

/// A connection to a store's file, with a checked table and prepared statements for the operations. The pool replaces
/// the connection if the path now leads to another file, or to none. Only the first connection of a store creates the
/// file and its table.
package final class SQLiteConnection: Connection {
    package struct Settings {
        /// The absolute path of the file. SQLite cannot take it for a URI, and it stays valid when the process changes
        /// its directory.
        let path: CText
        let isFull: Bool
        /// Whether the store only reads the file. The file need not be writable then, and is not created.
        let onlyReads: Bool
        let busyTimeout: UInt32
        /// The log that a replaced file left behind; all connections of the store share this knowledge.
        let leftLog = LeftLog()
        let turn = WriterLine.Turn()
    }

    let settings: Settings
    var database: OpaquePointer?
    var loading, inserting, updating, removing, listing: OpaquePointer?
    package internal(set) var isBroken = false
    package var deadline: Int64 = 0
    private var file, log: FileIdentity?
    private var logPath: CText?
    /// The state of a file that can only be read; nil if the file can be written to, or if the store writes.
    private var readOnly: ReadOnlyFile?
    /// The time at which the wait for another process's lock began, on the clock of `microsecondsNow`.
    private var waitsSince: UInt64 = 0
    /// The line of waiting writers; nil while the file is being opened.
    private var line: WriterLine?
    private var isChanging = false
    /// Whether the running change has let other writers go first. If so, the time-out of the change is already running.
    private var hasHeldBack = false
    /// Whether the running statement has begun to commit.
    var isCommitting = false

    package convenience init(_ settings: Settings, isFirst: Bool) throws(Failure) {
        self.init(settings)
        if isFirst {
            pthread_mutex_lock(&making)
            defer { pthread_mutex_unlock(&making) }
            if !settings.onlyReads { try DatabaseFile.make(settings.path) }
            try setUp(mayCreate: true)
        } else {
            try setUp(mayCreate: false)
        }
    }

    private init(_ settings: Settings) { self.settings = settings }

    deinit { end() }

    package func end() {
        for statement in [loading, inserting, updating, removing, listing] { sqlite3_finalize(statement) }
        (loading, inserting, updating, removing, listing) = (nil, nil, nil, nil, nil)
        sqlite3_close(database)
        database = nil
        line?.end()
        line = nil
    }

    package func isStale() -> Bool {
        if let readOnly, readOnly.hasChanged(settings.path) { return true }
        var hasMoved: Int32 = 0
        let code = sqlite3_file_control(database, main.cString, SQLITE_FCNTL_HAS_MOVED, &hasMoved)
        guard code == SQLITE_OK && hasMoved != 0 else { return false }
        if let logPath, let file, let left = LogIdentity(logPath), left.file == log {
            settings.leftLog.note(logPath, left, of: file)
        }
        return true
    }

    // MARK: Trouble

    func failure(_ status: Status, _ doing: StaticString, _ code: Int32) -> Failure {
        let isLast = database != nil && sqlite3_extended_errcode(database) == code
        let words = Message(isLast ? sqlite3_errmsg(database) : sqlite3_errstr(code))
        return Failure(status, "\(settings.path.message): \(doing): \(words) (SQLite error \(code))")
    }

    func failure(_ status: Status, _ message: Message) -> Failure {
        Failure(status, "\(settings.path.message): \(message)")
    }

    // MARK: Waiting

    /// Runs a statement that takes SQLite's write lock, after the writers in line have had their turn.
    func inTurn(_ body: () -> Int32) -> Int32 {
        isChanging = true
        defer {
            isChanging = false
            hasHeldBack = false
            line?.leave()
        }
        if line?.letsOthersGo() == true {
            hasHeldBack = true
            waitsSince = microsecondsNow()
            waitForOthers()
        }
        return body()
    }

    /// Waits for the writers in line. Gives up once they have made no progress for half of the time-out, or for a
    /// second if that is shorter, so that time is left to wait for SQLite's lock.
    private func waitForOthers() {
        let timeout = UInt64(settings.busyTimeout) * 1000
        line?.wait(since: waitsSince, until: waitsSince + timeout, patience: min(timeout / 2, 1_000_000))
    }

    /// Called when the running statement has SQLite's lock and begins to commit. Leaves the line, so that a writer of
    /// another process can be the first in line.
    private func beginToCommit() {
        isCommitting = true
        line?.leave()
    }

    /// Called while another process has a lock. Returns whether to try again. SQLite's own busy handler would sleep for
    /// up to 100 ms at a time.
    ///
    /// The longer a process has waited beyond 20 ms, the more often it tries, so that the process that has waited
    /// longest most likely finds the lock free. A writer in line first waits until it is the first one, and then tries
    /// every 50 microseconds.
    private func waitForLock(_ attempt: Int32) -> Bool {
        if attempt == 0 && !hasHeldBack { waitsSince = microsecondsNow() }
        let waited = microsecondsNow() - waitsSince
        if waited >= UInt64(settings.busyTimeout) * 1000 { return false }
        if isChanging && line?.takesPlace(since: waitsSince) == true {
            waitForOthers()
            pause(microseconds: 50)
            return true
        }
        var chance: UInt16 = 0
        sqlite3_randomness(2, &chance)
        let longest = waited < 20_000 ? min(100 + waited, 2000) : max(2000 * 20_000 / waited, 50)
        pause(microseconds: longest * (500 + 500 * UInt64(chance) / 65536) / 1000)
        return true
    }

    /// Returns the connection for which one of SQLite's hooks was set; `context` is the pointer that SQLite passes to
    /// the hook.
    private static func of(_ context: UnsafeMutableRawPointer?) -> SQLiteConnection? {
        context.map { Unmanaged<SQLiteConnection>.fromOpaque($0).takeUnretainedValue() }
    }

    // MARK: Opening

    func execute(_ sql: StaticString) -> Int32 { sqlite3_exec(database, sql.cString, nil, nil, nil) }

    private func run(_ sql: StaticString) throws(Failure) {
        let code = execute(sql)
        if code != SQLITE_OK { throw failure(.store, sql, code) }
    }

    /// Runs a query, passes its first row to `read`, and returns what `read` returns; nil if there is no row.
    private func ask<Answer>(_ sql: StaticString, _ read: (OpaquePointer?) -> Answer) throws(Failure) -> Answer? {
        var statement: OpaquePointer?
        defer { sqlite3_finalize(statement) }
        var code = sqlite3_prepare_v2(database, sql.cString, -1, &statement, nil)
        if code == SQLITE_OK { code = sqlite3_step(statement) }
        switch code {
        case SQLITE_ROW: return read(statement)
        case SQLITE_DONE: return nil
        default: throw failure(.store, sql, code)
        }
    }

    private func askNumber(_ sql: StaticString) throws(Failure) -> Int64 {
        try ask(sql) { sqlite3_column_int64($0, 0) } ?? 0
    }

    private func askText(_ sql: StaticString) throws(Failure) -> [UInt8] {
        try ask(sql) { row in
            Bytes(start: sqlite3_column_text(row, 0), count: Int(sqlite3_column_bytes(row, 0))).map { $0 }
        } ?? []
    }

    /// Whether the file has the store's table. Returns false if the file is empty, and throws if it is not a file of
    /// this store.
    private func hasTable() throws(Failure) -> Bool {
        let application = try askNumber("PRAGMA application_id")
        let version = try askNumber("PRAGMA user_version")
        let things = try askNumber("SELECT count(*) FROM sqlite_master")
        if application == 0 && version == 0 && things == 0 { return false }
        guard application == Table.applicationID else {
            throw failure(
                .store,
                """
                not a store of libskan but another program's database (application_id \(application), \(things) tables \
                and indexes); expected a file of its own
                """
            )
        }
        guard version <= Table.version else {
            throw failure(
                .recordTooNew,
                "made by a newer libskan-sqlite (user_version \(version); this one knows \(Table.version))")
        }
        let table = try askText("SELECT sql FROM sqlite_master WHERE type = 'table' AND name = 'skan_records'")
        guard version == Table.version && table.elementsEqual(Table.sql.bytes) else {
            throw failure(
                .store,
                """
                table skan_records has another shape: expected user_version \(Table.version) and \"\(Table.sql)\", \
                found \(version) and \"\(Message(utf8: table))\"
                """
            )
        }
        return true
    }

    /// Switches the file to write-ahead logging, which is a lasting property of the file. If two processes switch at
    /// the same time, SQLite returns SQLITE_BUSY without waiting, because each would wait for the other; so the wait is
    /// made here.
    private func useWriteAheadLog() throws(Failure) {
        var attempt: Int32 = 0
        while true {
            do throws(Failure) {
                let mode = try askText("PRAGMA journal_mode = WAL")
                if mode == [UInt8(ascii: "w"), UInt8(ascii: "a"), UInt8(ascii: "l")] { return }
                throw failure(
                    .store,
                    """
                    PRAGMA journal_mode = WAL: expected wal, got \(Message(utf8: mode)): is it on a network file system?
                    """
                )
            } catch {
                guard sqlite3_errcode(database) & 0xFF == SQLITE_BUSY && waitForLock(attempt) else { throw error }
                attempt += 1
            }
        }
    }

    private func makeTable() throws(Failure) {
        try run("BEGIN IMMEDIATE")
        defer { if sqlite3_get_autocommit(database) == 0 { _ = execute("ROLLBACK") } }
        if try hasTable() { return }  // another process has made it meanwhile
        try run(Table.sql)
        try run("PRAGMA application_id = 0x534B414E; PRAGMA user_version = 1; COMMIT")
    }

    private func prepare(_ sql: StaticString, _ statement: inout OpaquePointer?) throws(Failure) {
        let code = sqlite3_prepare_v3(database, sql.cString, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
        if code != SQLITE_OK { throw failure(.store, sql, code) }
    }

    private func prepareToWrite(hasTable: Bool) throws(Failure) {
        try run(settings.isFull ? "PRAGMA synchronous = FULL; PRAGMA fullfsync = 1" : "PRAGMA synchronous = NORMAL")
        try run("PRAGMA journal_size_limit = 16777216; PRAGMA cache_spill = 0")
        try useWriteAheadLog()
        if !hasTable { try makeTable() }
        if let name = sqlite3_filename_wal(sqlite3_db_filename(database, main.cString)) {
            let path = CText(copying: name)
            logPath = path
            line = WriterLine(path, settings.turn)
            log = FileIdentity(path)
            file = FileIdentity(settings.path)
        }
    }

    private func setUp(mayCreate: Bool) throws(Failure) {
        if let log = settings.leftLog.inTheWay(of: settings.path) {
            throw failure(
                .store,
                """
                the file was replaced, and \(log.message) is still the old one's: put the old file back, or remove \
                \(log.message)
                """
            )
        }
        try openFile()
        // All queries of `hasTable` see the file in the same state, although another process may be making the table.
        try run("BEGIN")
        let hasTable = try hasTable()
        try run("COMMIT")
        if !hasTable && !mayCreate { throw failure(.store, "an empty file has replaced the one that was opened") }
        if readOnly == nil {
            try prepareToWrite(hasTable: hasTable)
        } else if !hasTable {
            throw failure(.store, "an empty file, which cannot be written to")
        }

        try prepare("SELECT version, record FROM skan_records WHERE key = ?1", &loading)
        try prepare(
            "INSERT INTO skan_records (key, version, record) VALUES (?1, ?2, ?3) ON CONFLICT (key) DO NOTHING",
            &inserting)
        try prepare("UPDATE skan_records SET version = ?2, record = ?3 WHERE key = ?1 AND version = ?4", &updating)
        try prepare("DELETE FROM skan_records WHERE key = ?1 AND version = ?4", &removing)
        try prepare("SELECT key FROM skan_records WHERE key >= ?1 ORDER BY key", &listing)
    }

    private func openFile() throws(Failure) {
        if settings.onlyReads { readOnly = ReadOnlyFile(settings.path) }
        if let problem = readOnly?.problem { throw failure(.store, problem) }
        // The file exists already, so SQLite does not create it with a mode of its own choice.
        let flags = readOnly == nil ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
        let code = sqlite3_open_v2(
            (readOnly?.uri ?? settings.path).characters, &database, flags | SQLITE_OPEN_NOMUTEX, nil)
        if database != nil { sqlite3_extended_result_codes(database, 1) }
        if code != SQLITE_OK { throw failure(.store, "open", code) }
        let context = Unmanaged.passUnretained(self).toOpaque()
        sqlite3_busy_handler(database, { SQLiteConnection.of($0)?.waitForLock($1) == true ? 1 : 0 }, context)
        sqlite3_commit_hook(
            database,
            { context in
                SQLiteConnection.of(context)?.beginToCommit()
                return 0
            }, context)

        // Checked before the first query, because that would leave behind a log and an index that are read-only too.
        if readOnly == nil && sqlite3_db_readonly(database, main.cString) == 1 {
            throw failure(
                .store, "open: attempt to write a readonly database: this user may only read the file")
        }
    }
}

/// The store's table. It is one B-tree, in which a typical change writes one page ("Clustered Indexes and the WITHOUT
/// ROWID Optimization", which advises this for rows below a twentieth of a page). Keys are blobs, which are compared as
/// bytes, whatever the text encoding of the file.
enum Table {
    static var sql: StaticString {
        """
        CREATE TABLE skan_records (key BLOB NOT NULL PRIMARY KEY, version INTEGER NOT NULL, record BLOB NOT NULL) \
        WITHOUT ROWID
        """
    }
    static var applicationID: Int64 { 0x534B_414E }
    static var version: Int64 { 1 }
}

/// SQLite's name for the main database of a connection.
var main: StaticString { "main" }

/// Held while a store's first connection creates and opens its file, so that no other thread opens that file meanwhile.
/// A fork waits until the store is open, so no child inherits the lock in its locked state.
private nonisolated(unsafe) var making = pthread_mutex_t()
