internal import CSKANPQ
internal import SKANCore
internal import SKANSystem

/// A statement in the form that libpq takes. Valid as long as the `PreparedTexts` to which it belongs.
struct PreparedText {
    let sql: UnsafePointer<CChar>
    /// The statement's name, which differs for each text, so that a shared session cannot mix up two tables.
    let name: UnsafePointer<CChar>
    let types: UnsafePointer<Oid>
    let parameters: Int32
}

/// The statements on a table, at fixed addresses, so that sending one needs no reference counting.
final class PreparedTexts: @unchecked Sendable {
    private let texts: UnsafeMutableBufferPointer<PreparedText>

    init(_ table: Message) {
        let statements = PostgresStatement.allCases
        texts = .allocate(capacity: statements.count)
        for (index, statement) in statements.enumerated() {
            let sql = statement.sql(table)
            texts.initializeElement(
                at: index,
                to: PreparedText(
                    sql: kept(CText(sql.utf8).characters), name: kept(name(of: sql)), types: kept(statement.types),
                    parameters: Int32(statement.types.count)))
        }
    }

    deinit {
        for text in texts {
            text.sql.deallocate()
            text.name.deallocate()
            text.types.deallocate()
        }
        texts.deallocate()
    }

    subscript(statement: PostgresStatement) -> PreparedText { texts[statement.rawValue] }
}

private func kept<Element>(_ elements: [Element]) -> UnsafePointer<Element> {
    let kept = UnsafeMutablePointer<Element>.allocate(capacity: elements.count)
    for (index, element) in elements.enumerated() { (kept + index).initialize(to: element) }
    return UnsafePointer(kept)
}

private func name(of sql: Message) -> [CChar] {
    var sum: UInt64 = 14_695_981_039_346_656_037
    for byte in sql.utf8 { sum = (sum ^ UInt64(byte)) &* 1_099_511_628_211 }
    var name = ("skan_" as Message).utf8
    for shift in stride(from: 60, through: 0, by: -4) {
        name.append(hexDigit(UInt8(truncatingIfNeeded: sum >> UInt64(shift)) & 15) | 0x20)
    }
    return CText(name).characters
}
