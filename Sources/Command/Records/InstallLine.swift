import SKANCommandOutput
import SKANCommandStores
import SKANCore
import SKANSystem

/// A line of an import: a line of skan export, or a line with details from elsewhere.
struct InstallLine {
    let id: [UInt8]
    /// The record in the line, which has been checked, or one made from the line's details.
    let record: [UInt8]

    /// `protocolVersion`: the protocol of the details in a line without a record.
    init(_ text: Bytes, _ protocolVersion: ProtocolVersion) throws(Failure) {
        let members = try lineMembers(text)
        let id = try installID(members)
        record =
            if let record = members.value("record")?.string {
                try readRecord(record, of: id)
            } else {
                try makeRecord(members, protocolVersion)
            }
        if let problem = id.withUnsafeBytes({ RecordKind.install.nameProblem($0) }) { throw wrongLine("\(problem)") }
        self.id = id
    }
}

private func wrongLine(_ why: Message) -> Failure { Failure(.invalidDocument, why) }

/// Unknown members are ignored, even if repeated.
private func lineMembers(_ text: Bytes) throws(Failure) -> [JSONMember] {
    do throws(JSONFault) {
        return try JSONDocument(text, allowsDuplicates: true).members
    } catch {
        throw wrongLine("expected one JSON object: \(error.what) at byte \(error.position)")
    }
}

// MARK: The install

private func installID(_ members: [JSONMember]) throws(Failure) -> [UInt8] {
    guard let text = members.value("install_id")?.string else { throw otherLine(members) }
    let id = text.withUTF8 { [UInt8]($0) }
    if let problem = id.withUnsafeBytes({ installIDProblem($0) }) { throw wrongLine("\(problem)") }
    return id
}

/// Returns the failure for a line without an install id. It says if the line is a postback of Apple's or a line of skan
/// outbox.
private func otherLine(_ members: [JSONMember]) -> Failure {
    if members.value("attribution-signature") != nil || members.value("jws-string") != nil {
        return wrongLine(
            """
            install_id: expected an install, found a postback of Apple's: skan receive takes these
            """)
    }
    if members.value("partner")?.string != nil, members.value("network")?.string != nil {
        return wrongLine("install_id: expected an install, found a line of skan outbox")
    }
    return wrongLine("install_id: expected text")
}

// MARK: Its record

private func readRecord(_ text: JSONString, of id: [UInt8]) throws(Failure) -> [UInt8] {
    guard let record = text.withUTF8({ bytes(ofBase64: $0) }) else { throw wrongLine("record: expected base64") }
    let kind = record.withUnsafeBytes { record in id.withUnsafeBytes { RecordKind(of: record, under: $0) } }
    guard kind == .install else {
        throw wrongLine("record: expected an install, found \(kind.name): skan move takes records of every kind")
    }
    if let failure = record.withUnsafeBytes({ InstallState.failure(reading: $0) }) {
        throw wrongLine("record: \(failure.message)")
    }
    return record
}

/// Decodes base64. Unused padding bits must be zero, so that no two texts stand for the same bytes.
private func bytes(ofBase64 text: Bytes) -> [UInt8]? {
    guard let bytes = Base64.standard.decode(text) else { return nil }
    let end = [UInt8](bytes.suffix(bytes.count % 3)).withUnsafeBytes { Base64.standard.encode($0) }
    return text.suffix(end.count).elementsEqual(end) ? bytes : nil
}

// MARK: Its details

private func makeRecord(_ members: [JSONMember], _ protocolVersion: ProtocolVersion) throws(Failure) -> [UInt8] {
    guard let details = members.value("details"), details.kind == .object else {
        throw wrongLine("expected a \"record\", or \"details\" that are an object")
    }
    guard members.count(where: { $0.key.isEqual("details") }) == 1 else {
        throw wrongLine("details: expected this key once")
    }
    guard isOfProtocol(details, protocolVersion) else {
        throw wrongLine(
            protocolVersion == .skan4
                ? "details: they are of SKAN 3, which takes --protocol 3"
                : "details: they are of SKAN 4, which takes --protocol 4")
    }
    do throws(Failure) {
        return try InstallState(importing: details.text, protocolVersion).firstRecord()
    } catch {
        throw wrongLine("details: \(error.message)")
    }
}

/// Whether details are of this protocol. The details of the two protocols have only the keys of times and revenue in
/// common.
private func isOfProtocol(_ details: JSONValue, _ protocolVersion: ProtocolVersion) -> Bool {
    let isOf4 = details.members.value("skan_current_conversion_value") != nil
    let isOf3 = details.members.value("skan_conversion_value") != nil
    return protocolVersion == .skan4 ? isOf4 || !isOf3 : isOf3 || !isOf4
}
