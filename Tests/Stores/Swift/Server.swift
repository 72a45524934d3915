import Glibc

/// A server of a test's own, started by one of the scripts in Tests/Trouble/Servers; it is removed with this object, and with
/// this process.
final class Server: Sendable {
    let facts: [String: String]
    private let script: String

    struct NoServer: Error {
        let output: String
    }

    init(_ name: String, _ settings: String = "") throws {
        let tests = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        script = "/\(tests)/Trouble/Servers/\(name).sh"
        let output = try Server.output("\(script) start --for \(getpid()) \(settings)")
        var facts: [String: String] = [:]
        for line in output.split(separator: "\n") {
            let parts = line.split(separator: "=", maxSplits: 1)
            if parts.count == 2 { facts[String(parts[0])] = String(parts[1]) }
        }
        guard facts["directory"] != nil, facts["url"] != nil else { throw NoServer(output: output) }
        self.facts = facts
    }

    subscript(_ fact: String) -> String { facts[fact] ?? "" }

    func stop() throws { _ = try Server.output("\(script) stop \(self["directory"])") }
    func again() throws { _ = try Server.output("\(script) again \(self["directory"])") }

    deinit { _ = try? Server.output("\(script) remove \(self["directory"])") }

    private static func output(_ command: String) throws -> String {
        guard let pipe = popen(command, "r") else { throw NoServer(output: "popen failed") }
        var bytes: [UInt8] = []
        var byte = fgetc(pipe)
        while byte >= 0 {
            bytes.append(UInt8(byte))
            byte = fgetc(pipe)
        }
        let output = String(decoding: bytes, as: UTF8.self)
        guard pclose(pipe) == 0 else { throw NoServer(output: output) }
        return output
    }
}
