package import SKANCommandOutput
import SKANCore
package import SKANSystem

/// A map from libskan's names of events ("ours") to a vendor's ("theirs"), read from a JSON object {ours: theirs}. An
/// event without an entry keeps its name. Sessions have the name "__SESSION__".
package struct EventMap: Sendable {
    /// Keyed by our names.
    private var theirNames: [[UInt8]: [UInt8]] = [:]
    /// Keyed by the vendor's names.
    private var ourNames: [[UInt8]: [UInt8]] = [:]
    /// Empty if no file was read.
    package let document: [UInt8]

    package init() { document = [] }

    /// Reads a map from a file of at most 64 KiB.
    @export(interface)
    package static func read(_ path: CText, forServer: Bool = false) throws(CommandEnd) -> EventMap {
        let bytes: [UInt8]
        do throws(FileTrouble) {
            bytes = try readFile(path, limit: Limits.modelBytes, isRegular: forServer)
        } catch {
            throw .complaint(path.message, error.words(limit: Limits.modelBytes))
        }
        return try EventMap(bytes, name: path.message)
    }

    private init(_ bytes: [UInt8], name: Message) throws(CommandEnd) {
        document = bytes
        let entries: [(ours: [UInt8], theirs: [UInt8])]
        do throws(JSONFault) {
            entries = try bytes.withBytes { text throws(JSONFault) in
                try JSONDocument(text).members.map { ($0.key.utf8, $0.value.string?.utf8 ?? []) }
            }
        } catch {
            throw .complaint(name, error.description)
        }
        for entry in entries {
            let ours = Message(utf8: entry.ours)
            if entry.theirs.isEmpty { throw .complaint(name, "\"\(ours)\": expected a name as text") }
            guard ourNames.updateValue(entry.ours, forKey: entry.theirs) == nil else {
                throw .complaint(name, "\"\(ours)\": another event has this name too")
            }
            theirNames[entry.ours] = entry.theirs
        }
    }

    /// nil if the map has no entry for the event.
    func entry(of ours: [UInt8]) -> [UInt8]? { theirNames[ours] }

    /// Returns `ours` if the map has no entry for it.
    func theirs(_ ours: [UInt8]) -> [UInt8] { entry(of: ours) ?? ours }

    /// Returns `theirs` if the map has no entry for it.
    func ours(_ theirs: [UInt8]) -> [UInt8] { ourNames[theirs] ?? theirs }
}
