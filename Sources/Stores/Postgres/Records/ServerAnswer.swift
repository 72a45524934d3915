internal import CSKANPQ
internal import CSKANSystem
internal import SKANCore
internal import SKANStorePool
internal import SKANSystem

/// A result of libpq, freed with this value. The bytes that it returns are valid until then.
struct ServerAnswer: ~Copyable {
    private let result: OpaquePointer
    let status: ExecStatusType

    init(_ result: OpaquePointer) {
        self.result = result
        status = PQresultStatus(result)
    }

    deinit { PQclear(result) }

    /// Whether the answer starts a COPY stream, after which nothing else can come.
    var isCopy: Bool { status == PGRES_COPY_IN || status == PGRES_COPY_OUT || status == PGRES_COPY_BOTH }

    // MARK: Rows

    var rows: Int32 { max(PQntuples(result), 0) }
    var columns: Int32 { max(PQnfields(result), 0) }

    /// The bytes of a value, valid as long as the answer; nil if the value is NULL or missing.
    func value(_ row: Int32, _ column: Int32) -> Bytes? {
        guard 0..<rows ~= row, 0..<columns ~= column, let start = PQgetvalue(result, row, column) else { return nil }
        let length = Int(PQgetlength(result, row, column))
        if length > 0 { return Bytes(start: start, count: length) }
        return PQgetisnull(result, row, column) == 0 ? Bytes(start: start, count: 0) : nil  // a NULL has length 0
    }

    /// A value of the type bigint; nil if the value is not one.
    func number(_ row: Int32, _ column: Int32) -> UInt64? {
        guard let bytes = value(row, column), bytes.count == 8 else { return nil }
        return UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self))
    }

    func name(_ column: Int32) -> [UInt8] { Message(PQfname(result, column)).utf8 }
    func type(_ column: Int32) -> Oid { PQftype(result, column) }

    // MARK: Changes

    /// Whether a statement changed exactly one row.
    var changedOne: Bool { isText(PQcmdTuples(result), "1") }

    var isCommit: Bool { isText(PQcmdStatus(result), "COMMIT") }

    private func isText(_ text: UnsafePointer<CChar>?, _ expected: StaticString) -> Bool {
        text.map { strcmp($0, expected.cString) == 0 } ?? false
    }

    // MARK: Errors

    var state: [UInt8]? { field(pq_sqlstate) }
    var primary: [UInt8]? { field(pq_message_primary) }
    var words: [UInt8] { Message(PQresultErrorMessage(result)).utf8 }

    /// Whether the severity is ERROR, which does not end the session, unlike FATAL and PANIC.
    var isError: Bool { severity(of: result).elementsEqual(StaticString("ERROR").bytes) }

    private func field(_ code: some BinaryInteger) -> [UInt8]? {
        PQresultErrorField(result, Int32(code)).map { Message($0).utf8 }
    }
}

/// The severity, such as ERROR, FATAL or NOTICE; empty if there is none. Old servers and other engines have only the
/// field that PostgreSQL translates, but write it in English.
func severity(of result: OpaquePointer?) -> [UInt8] {
    let field =
        PQresultErrorField(result, Int32(pq_severity_nonlocalized)) ?? PQresultErrorField(result, Int32(pq_severity))
    return Message(field).utf8
}

extension ServerAnswer {
    /// Passes the record and the version in a row of `load` or `loadMany` to `take`.
    func showRecord(
        _ row: Int32, _ settings: PostgresSettings, _ take: (Bytes, _ version: UInt64) -> Bool
    ) throws(Failure) {
        guard let version = number(row, 0), let record = value(row, 1) else {
            throw settings.failure(
                .store, "load: expected a version of 8 bytes and a record, got \(columns) columns")
        }
        guard 1...greatestVersion ~= version else {
            throw settings.failure(.store, "load: a record has version \(Int64(bitPattern: version))")
        }
        guard take(record, version) else {
            throw settings.failure(.store, "load: a record has \(record.count) bytes")
        }
    }
}
