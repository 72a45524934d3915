import Foundation
import SKAN
import Testing

import struct SKANCore.Failure
import struct SKANCore.Message
import struct SKANCore.Status

/// Messages name arguments as Swift's declarations do. What each call says of each of its arguments is in ArgumentTests.
struct ParameterNameTests {
    private func message(_ status: Status, _ text: String) -> String {
        messageWithSwiftsName(Failure(status, Message(utf8: Array(text.utf8))))
    }

    /// The core's messages begin with C's names. Whatever stands in its sources is renamed, to what this module's
    /// declarations have.
    @Test func noNameOfCIsLeft() throws {
        let sources = testsFolder.deletingLastPathComponent().appending(path: "Sources")
        let face = sources.appending(path: "Core/Swift")
        let files = try #require(FileManager.default.subpaths(atPath: face.path)).filter { $0.hasSuffix(".swift") }
        let declarations = try files.map { try text(face.appending(path: $0)) }.joined()
        var names: Set<String> = []
        for storey in ["Rules", "Engine", "Swift"] {
            let folder = sources.appending(path: "Core/\(storey)")
            for file in try #require(FileManager.default.subpaths(atPath: folder.path)) where file.hasSuffix(".swift") {
                let source = try text(folder.appending(path: file))
                for match in source.matches(of: #/invalidArgument,\s*"([a-z_.]+): /#) { names.insert("\(match.1)") }
                for match in source.matches(of: #/Arguments\.text\(\w+, "([a-z_.]+)"\)/#) { names.insert("\(match.1)") }
                for match in source.matches(of: #/_ name: StaticString = "([a-z_.]+)"/#) { names.insert("\(match.1)") }
            }
        }
        #expect(
            names.isSuperset(of: ["install_id", "event_id", "event_name", "os_version", "sdk_key"]))
        for name in names {
            let message = message(.invalidArgument, "\(name): expected b_c: d")
            let renamed = message.prefix { $0 != ":" }
            #expect(message == "\(renamed): expected b_c: d")
            #expect(!renamed.contains("_"))
            if name.contains("_") { #expect(declarations.contains("\(renamed): "), "\(name) became \(renamed)") }
        }
    }

    private func text(_ file: URL) throws -> String { try String(contentsOf: file, encoding: .utf8) }

    /// A rejected parameter is set by an option, which has Swift's name too.
    @Test func theOptionOfARejectedParameterIsRenamed() async throws {
        let reason = "Conversion Management: Invalid parameter app_v given"
        let engine = try Engine(.asking) { _ in Array(#"{"status":"error","reason":"\#(reason)"}"#.utf8) }
        try await engine.register("player-1")
        let error = await failure { try await engine.updateConversionValues("player-1") }
        #expect(error?.code == .rejected)
        #expect(error?.message == "\(reason): the option appVersion sets it")
    }

    /// What begins with no argument's name is left as it is.
    @Test func onlyNamesOfArgumentsAreRenamed() {
        #expect(message(.invalidArgument, "event_id: expected") == "eventID: expected")
        for text in ["", "event_id", ": ", "an event_id: expected", "Event_ID: expected"] {
            #expect(message(.invalidArgument, text) == text)
        }
        #expect(message(.rejected, "event_id: unknown") == "event_id: unknown")
        #expect(message(.invalidDocument, "prev_fine_value: expected") == "prev_fine_value: expected")
        #expect(message(.clock, "clock.now: expected") == "clock: expected")
    }
}
