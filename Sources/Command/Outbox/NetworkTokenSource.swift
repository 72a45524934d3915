import CSKANSystem
import SKANCommandOutput
import SKANCommandStores
package import SKANCore
import SKANSystem

extension NetworkToken {
    /// Reads a token from env:NAME or file:PATH. Throws the reason if there is no valid token.
    package static func read(_ source: [UInt8]) throws(Failure) -> NetworkToken {
        do throws(NetworksProblem) { return try NetworkToken(source: source) } catch {
            throw Failure(.invalidArgument, error.message)
        }
    }

    /// A token itself is not accepted, because the file of networks must not contain secrets.
    init(source: [UInt8]) throws(NetworksProblem) {
        let text = try source.withBytes { source throws(NetworksProblem) in try tokenText(source) }
        let source = Message(utf8: source)
        let lengths = NetworkToken.lengths
        guard lengths ~= text.count else {
            throw NetworksProblem("expected \(lengths.lowerBound) to \(lengths.upperBound) bytes in \(source)")
        }
        guard text.allSatisfy({ 0x21...0x7E ~= $0 }) else {
            throw NetworksProblem("expected printable ASCII in \(source)")
        }
        self = text.withUnsafeBytes { NetworkToken($0) }
    }
}

private func tokenText(_ source: Bytes) throws(NetworksProblem) -> [UInt8] {
    if let path = source.behind("file:") { return try tokenInFile(CText(path)) }
    if let name = source.behind("env:") { return try tokenInEnvironment(CText(name)) }
    // The message does not show the text, since it may be a token.
    throw NetworksProblem("expected env:NAME or file:PATH, got something else")
}

/// Returns the token in a file that only its owner may access, without the line ending. A file that is too large reads
/// as empty, which is not a valid token.
private func tokenInFile(_ path: CText) throws(NetworksProblem) -> [UInt8] {
    do throws(FileTrouble) {
        var text = try readFile(path, limit: fileBytes, isSecret: true, isRegular: true)
        while let last = text.last, last == UInt8(ascii: "\n") || last == UInt8(ascii: "\r") { text.removeLast() }
        return text
    } catch {
        if case .tooLarge = error { return [] }
        throw NetworksProblem("\(path.message): \(error.words(limit: fileBytes))")
    }
}

private func tokenInEnvironment(_ name: CText) throws(NetworksProblem) -> [UInt8] {
    let value = name.characters.withUnsafeBufferPointer { name in name.baseAddress.flatMap { getenv($0) } }
    guard let value else { throw NetworksProblem("the environment variable \(name.message) is not set") }
    return Message(value).utf8
}

/// Far more than a token needs.
private var fileBytes: Int { 4096 }
