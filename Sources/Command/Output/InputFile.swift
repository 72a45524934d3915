package import CSKANSystem
package import SKANCore
package import SKANSystem

extension CText {
    /// "-", as a file's path: standard input.
    package var isStandardInput: Bool { message.utf8 == [UInt8(ascii: "-")] }
}

/// Opens a file for the call, with the name that it has in messages.
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
