package import SKANCommandOutput
import SKANCore
package import SKANSystem

/// Rules, "Columns": the columns of other programs' rows that have Apple's members, the time of arrival and the
/// network.
package struct ColumnMap: Sendable {
    private(set) var members: [(member: AppleMember, columns: ColumnChoice)] = []
    /// The columns with the whole postback, as text or as an object; nil if each member of the postback has a column of
    /// its own.
    private(set) var postback: ColumnChoice?
    /// The columns with the time of arrival.
    var received: ColumnChoice?
    /// The columns with the id of the ad network that passed the postback on.
    private(set) var network: ColumnChoice?

    /// Reads a map from a file of at most 64 KiB.
    @export(interface)
    package static func read(_ path: CText) throws(CommandEnd) -> ColumnMap {
        let bytes: [UInt8]
        do throws(FileTrouble) { bytes = try readFile(path, limit: Limits.modelBytes) } catch {
            throw .complaint(path.message, error.words(limit: Limits.modelBytes))
        }
        do throws(Failure) {
            return try bytes.withBytes { text throws(Failure) in try ColumnMap(text) }
        } catch {
            throw .complaint(path.message, error.message)
        }
    }

    init(_ text: Bytes) throws(Failure) {
        let document: JSONDocument
        do throws(JSONFault) { document = try JSONDocument(text) } catch {
            throw Failure(.invalidDocument, error.description)
        }
        for each in document.members { try add(each.key.utf8, each.value) }
        if postback != nil, let first = members.first {
            throw ColumnMap.wrong(first.member.name, "the map has \"postback\", which is all of it")
        }
        guard postback != nil || members.contains(where: { $0.member.isSignature }) else {
            throw Failure(.invalidDocument, "expected attribution-signature, jws-string or postback, got none of them")
        }
    }

    private mutating func add(_ name: [UInt8], _ value: JSONValue) throws(Failure) {
        guard let columns = ColumnChoice(value) else {
            throw Failure(
                .invalidDocument,
                "\"\(Message(utf8: name))\": expected a column's name or path, or an array of them")
        }
        if name.elementsEqual(StaticString("postback").bytes) {
            postback = columns
        } else if name.elementsEqual(StaticString("received").bytes) {
            received = columns
        } else if name.elementsEqual(StaticString("network").bytes) {
            network = columns
        } else if let member = AppleMember.named(name) {
            members.append((member, columns))
        } else {
            let names = Message(utf8: name)
            throw Failure(
                .invalidDocument, "\"\(names)\": expected a name of Apple's, or postback, received or network")
        }
    }

    private static func wrong(_ name: StaticString, _ why: Message) -> Failure {
        Failure(.invalidDocument, "\"\(name)\": \(why)")
    }

    /// The columns of which a row must have at least one to contain a postback.
    var signatures: [ColumnChoice] {
        if let postback { return [postback] }
        return members.filter { $0.member.isSignature }.map { $0.columns }
    }

    /// Whether a value that the map asks for can be in this column.
    func names(_ column: [UInt8]) -> Bool {
        let choices = members.map { $0.columns } + [postback, received, network].compactMap { $0 }
        return choices.contains { $0.begins(in: column) }
    }
}

/// The columns in which a certain value can be. In each row, the first of them that has a value is used.
struct ColumnChoice: Sendable {
    private let paths: [ColumnPath]

    /// Reads the names of columns in a map; nil if the value is neither a text nor an array of texts.
    fileprivate init?(_ value: JSONValue) {
        let texts = value.kind == .array ? [JSONValue](value.elements) : [value]
        let names = texts.compactMap { $0.string?.utf8 }
        guard names.count == texts.count, !names.isEmpty, !names.contains([]) else { return nil }
        paths = names.map { ColumnPath($0) }
    }

    init(_ name: [UInt8]) { paths = [ColumnPath(name)] }

    /// nil if no column has a value in this row.
    func value(in row: [JSONMember]) -> ColumnValue? {
        for path in paths {
            if let found = path.value(in: row), !found.isAbsent { return found }
        }
        return nil
    }

    func begins(in column: [UInt8]) -> Bool { paths.contains { $0.begins(in: column) } }

    /// The names of the columns for messages, such as "body" or "payload".
    var words: Message {
        var words: [UInt8] = []
        for path in paths {
            let name: Message = "\"\(Message(utf8: path.name))\""
            words += words.isEmpty ? name.utf8 : Message(" or \(name)").utf8
        }
        return Message(utf8: words)
    }
}
