internal import CSKANSystem
package import SKANCore
package import SKANSystem

/// Why a file was not read.
package enum FileTrouble: Error {
    /// An errno; 0 where the system says none.
    case system(Int32)
    case tooLarge

    /// `limit`: the bytes that there may be.
    package func words(limit: Int) -> Message {
        switch self {
        case .system(0): "could not be read"
        case .system(let number): Message(systemError: number)
        case .tooLarge: "expected at most \(limit) bytes"
        }
    }
}

/// The bytes of a file of at most so many. `isStandardInput`: that is read, whatever the path.
package func readFile(
    _ path: CText, limit: Int, isStandardInput: Bool = false
) throws(FileTrouble) -> [UInt8] {
    clearSystemError()
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
    if bytes.count > limit { throw .tooLarge }
    return bytes
}
