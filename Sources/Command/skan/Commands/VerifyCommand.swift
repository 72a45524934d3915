import SKANCommandOutput
import SKANCommandRows
import SKANCommandServer
import SKANCore
import SKANPostbackReceiving
import SKANPostbackVerification
import SKANSystem

extension Subcommand {
    static let verify = Subcommand(
        "verify", ["[FILE]"],
        summary: "says what one postback is, and what in it is signed",
        """
        Reads one postback, as Apple's device posts it, from FILE or standard input, and prints what it is and which \
        of its fields Apple's signature proves. Nothing is stored. The exit code is 0 for a valid postback and 1 for \
        any other.
        """,
        values: (isDocument: false, keys: nil as CText?),
        options: OptionGroup(
            .flag("json", { $1(&$0.isDocument) }, "Prints the library's document, in one line."),
            .value("postback-keys", "FILE", "Keys beside Apple's; skan help serve has their form.") {
                $0.keys = $1.text
            })
    ) { given throws(CommandEnd) in
        let file = given.arguments.first ?? CText(StaticString("-").bytes)
        let keys = try keySet(given.values.keys)
        let postback = try verified(file, keys)
        if given.values.isDocument {
            StandardOutput.line(postback.json())
        } else {
            tell(postback, isSignedByApple: try isSignedByApple(postback))
        }
        return postback.result == .valid ? .fine : .found
    }
}

private func verified(_ file: CText, _ keys: PostbackKeySet) throws(CommandEnd) -> VerifiedPostback {
    let limit = PostbackRecord.bodyBytes
    let name: Message = file.isStandardInput ? "standard input" : file.message
    let body: [UInt8]
    do throws(FileTrouble) {
        body = try readFile(file, limit: limit, isStandardInput: file.isStandardInput)
    } catch {
        throw .complaint(name, error.words(limit: limit))
    }
    do throws(Failure) {
        return try body.withBytes { body throws(Failure) in try VerifiedPostback(verifying: body, keys: keys) }
    } catch {
        throw .complaint(name, error.message)
    }
}

/// Returns whether the postback is valid with Apple's own keys, not only with the keys of --postback-keys.
private func isSignedByApple(_ postback: VerifiedPostback) throws(CommandEnd) -> Bool {
    guard postback.result == .valid else { return false }
    let apples = try keySet(nil)
    do throws(Failure) {
        return try VerifiedPostback(verifying: postback.body, keys: apples).result == .valid
    } catch {
        throw .complaint("verify", error.message)
    }
}

private func keySet(_ file: CText?) throws(CommandEnd) -> PostbackKeySet {
    if let file { return try PostbackKeySet.read(file).keys }
    do throws(Failure) { return try .apple() } catch { throw .complaint("verify", error.message) }
}

private func tell(_ postback: VerifiedPostback, isSignedByApple: Bool) {
    let version: Message = postback.version.map { " \(escapedForTerminal($0))" } ?? ""
    let framework: Message = postback.result == .malformed ? "" : ", \(postback.framework.name)\(version)"
    StandardOutput.line("\(postback.result.name)\(framework): \(meaning(of: postback, isSignedByApple))")
    if postback.isRespelled {
        StandardOutput.line("respelled: not as Apple writes it; the signature proves how it is meant, as shown here")
    }
    if let (field, name) = postback.unknownType, postback.result != .unverifiable {
        StandardOutput.line("unknown type: \(field) \(escapedForTerminal(name))")
    }
    postback.json().withBytes { tellMembers($0) }
}

private func tellMembers(_ document: UnsafeRawBufferPointer) {
    do throws(JSONFault) {
        let members = try JSONDocument(document).members
        list("signed", members.value("signed"))
        list("not signed, whoever passes it on can change it", members.value("unsigned"))
        if let illegal = members.value("illegal"), illegal.kind == .array {
            for field in illegal.elements { StandardOutput.line("illegal value, treated as absent: \(told(field))") }
        }
        if let key = members.value("key"), key.kind == .string { StandardOutput.line("key: \(told(key))") }
    } catch {}
}

private func meaning(of postback: VerifiedPostback, _ isSignedByApple: Bool) -> Message {
    switch postback.result {
    case .valid: isSignedByApple ? "signed by Apple" : "signed with a key of --postback-keys that is not Apple's"
    case .invalid: "the signature does not fit"
    case .development: "signed with a development key, a test"
    case .unverifiable, .malformed: postback.problemWords ?? "no postback"
    }
}

private func list(_ title: Message, _ fields: JSONValue?) {
    guard let fields, fields.kind == .object else { return }
    var isFirst = true
    for member in fields.members {
        if isFirst { StandardOutput.line("\(title):") }
        isFirst = false
        let name = member.key.utf8.withUnsafeBytes { escapedForTerminal($0) }
        StandardOutput.line("  \(padded(name, to: 30)) \(told(member.value))")
    }
}

private func told(_ value: JSONValue) -> Message {
    guard let string = value.string else { return escapedForTerminal(value.text) }
    return string.utf8.withUnsafeBytes { escapedForTerminal($0) }
}
