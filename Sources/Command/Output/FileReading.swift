package import CSKANSystem
package import SKANCore
package import SKANSystem

/// The reason why a file was not read.
package enum FileTrouble: Error {
    /// Opening or reading failed with this errno, or 0 if the system gave none.
    case system(Int32)
    case tooLarge
    /// The file is not a regular file, so that reading it might block for ever.
    case special
    /// The file should be secret, but this mode gives the group or others access to it.
    case exposed(UInt32)

    /// `limit`: the maximum number of bytes, as given to `readFile`.
    package func words(limit: Int) -> Message {
        switch self {
        case .system(0): "could not be read"
        case .system(let number): Message(systemError: number)
        case .special: "expected a regular file"
        case .tooLarge: "expected at most \(limit) bytes"
        case .exposed(let mode):
            "others may use it: expected mode 600 or 400, got \(mode >> 6 & 7)\(mode >> 3 & 7)\(mode & 7)"
        }
    }
}

/// Reads a file of at most `limit` bytes. `isStandardInput`: reads standard input, whatever the path. `isSecret`:
/// refuses a file that the group or others can access. `isRegular`: accepts only regular files, for files that a server
/// reads again and again.
package func readFile(
    _ path: CText, limit: Int, isStandardInput: Bool = false, isSecret: Bool = false, isRegular: Bool = false
) throws(FileTrouble) -> [UInt8] {
    clearSystemError()
    if isRegular && !isStandardInput { try checkIsRegular(path) }
    guard let file = isStandardInput ? system_input() : fopen(path.characters, "rb") else {
        throw .system(systemError)
    }
    defer { if !isStandardInput { fclose(file) } }
    var hasFailed = false
    let bytes = [UInt8](unsafeUninitializedCapacity: limit + 1) { memory, count in
        count = fread(memory.baseAddress, 1, limit + 1, file)
        hasFailed = ferror(file) != 0
    }
    if hasFailed { throw .system(systemError) }
    if isSecret { try checkIsPrivate(file) }
    if bytes.count > limit { throw .tooLarge }
    return bytes
}

/// Checks that the path leads to a regular file, so that reading it cannot block for ever. Does not protect against a
/// FIFO that replaces the file after this check.
package func checkIsRegular(_ path: CText) throws(FileTrouble) {
    clearSystemError()
    var found = stat()
    if stat(path.characters, &found) != 0 { throw .system(systemError) }
    let kind = found.st_mode & UInt32(S_IFMT)
    if kind == UInt32(S_IFDIR) { throw .system(EISDIR) }
    if kind != UInt32(S_IFREG) { throw .special }
}

/// Checks that only its owner can access the open file, whatever its path now refers to.
private func checkIsPrivate(_ file: UnsafeMutablePointer<FILE>) throws(FileTrouble) {
    var found = stat()
    if fstat(fileno(file), &found) != 0 { throw .system(systemError) }
    if found.st_mode & 0o077 != 0 { throw .exposed(UInt32(found.st_mode)) }
}

extension CText {
    /// Whether the path is "-", which means standard input.
    package var isStandardInput: Bool { message.utf8 == [UInt8(ascii: "-")] }
}

/// Opens a file, or standard input for "-", for the duration of `body`. `name`: the file's name for messages.
package func withInput<Result>(
    _ path: CText, _ body: (UnsafeMutablePointer<FILE>, _ name: Message) throws(CommandEnd) -> Result
) throws(CommandEnd) -> Result {
    if path.isStandardInput { return try body(system_input(), "standard input") }
    guard let file = fopen(path.characters, "r") else {
        throw .complaint(path.message, Message(systemError: systemError))
    }
    defer { fclose(file) }
    return try body(file, path.message)
}
