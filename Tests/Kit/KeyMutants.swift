import SKANCore

@testable import SKANStoreLaws

extension Mutant {
    /// What stores make of keys.
    static let ofKeys: [Mutant] = [
        Mutant("keys are cut to 64 bytes", breaks: "keys of which one begins the other are apart") {
            $0.changeKeys { key in [UInt8](key.prefix(64)) }
        },
        // DEL key*
        .remove(
            "remove removes longer keys too", breaks: "keys of which one begins the other are apart"
        ) { store, key, expected in
            let status = store.right.remove(key, over: expected)
            if status == .ok {
                store.right.locked { records in
                    for other in records.keys where other.starts(with: key) { records.drop(other) }
                }
            }
            return status
        },
        Mutant("keys are cut to 127 bytes", breaks: "keys of 128 bytes are apart in each byte") {
            $0.changeKeys { key in [UInt8](key.prefix(127)) }
        },
        .save(
            "a quote at the end of a key is refused", breaks: "keys of one printable character are apart"
        ) { store, call in
            if call.key.last == UInt8(ascii: "\"") { return Written(.store, version: 0) }
            return store.save(call, over: call.expected)
        },
        Mutant("keys are folded to lower case", breaks: "keys in upper and lower case are apart") {
            $0.changeKeys { key in key.map { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 ? $0 + 32 : $0 } }
        },
        Mutant("spaces at the end of keys are dropped", breaks: "keys with other spaces are apart") {
            $0.changeKeys { key in withoutSpacesAtEnd(key) }
        },
        Mutant("keys are composed", breaks: "keys in other Unicode forms are apart") {
            $0.replaceInKeys("e\u{301}", by: "\u{E9}")
        },
        Mutant("characters of four bytes become question marks", breaks: "keys in other Unicode forms are apart") {
            $0.changeKeys { key in
                let characters = String(decoding: key, as: UTF8.self).unicodeScalars
                return [UInt8](String(String.UnicodeScalarView(characters.map { $0.value > 0xFFFF ? "?" : $0 })).utf8)
            }
        },
        // LIKE in the place of =, with its `%` at the end of keys.
        .load("keys are patterns", breaks: "keys like patterns match themselves only") { store, call in
            guard call.key.last == UInt8(ascii: "%") else { return store.right.load(call.key) }
            let found = store.right.locked { $0.keys.first { $0.starts(with: call.key.dropLast()) } }
            return found.map(store.right.load) ?? Loaded(.notFound, version: 0, [])
        },
        Mutant("keys are percent-decoded", breaks: "keys like parts of query languages and paths are apart") {
            $0.replaceInKeys("%25", by: "%")
        },
        Mutant("doubled quotes are one", breaks: "keys like parts of query languages and paths are apart") {
            $0.replaceInKeys("''", by: "'")
        },
        Mutant("backslashes are slashes", breaks: "keys like parts of query languages and paths are apart") {
            $0.replaceInKeys("\\", by: "/")
        },
        Mutant("what is in braces is the key", breaks: "keys with braces are apart") {
            $0.changeKeys { key in
                guard let open = key.firstIndex(of: UInt8(ascii: "{")),
                    let close = key[open...].firstIndex(of: UInt8(ascii: "}")), close > open + 1
                else { return key }
                return [UInt8](key[..<open] + key[open + 1..<close])
            }
        },
        Mutant("keys that are numbers are kept as numbers", breaks: "keys like numbers are apart") {
            $0.changeKeys { key in
                let parts = String(decoding: key, as: UTF8.self).split(
                    separator: "/", omittingEmptySubsequences: false)
                guard let last = parts.last, let number = Double(last) else { return key }
                return Array((parts.dropLast() + ["\(number)"]).joined(separator: "/").utf8)
            }
        },
        Mutant("versions lie beside, among the keys", breaks: "keys like a store's own names are apart") {
            $0.save = { store, call in
                let saved = store.save(call, over: call.expected)
                if saved.status == .ok, let beside = versionKey(of: call.key) {
                    _ = store.right.saveAnyway(beside, Array("\(saved.version)".utf8))
                }
                return saved
            }
            $0.remove = { store, key, expected in
                let status = store.right.remove(key, over: expected)
                if status == .ok, let beside = versionKey(of: key) { store.right.locked { $0.drop(beside) } }
                return status
            }
        },
    ]

    private mutating func changeKeys(_ changed: @escaping @Sendable ([UInt8]) -> [UInt8]) {
        load = { store, call in store.right.load(changed(call.key)) }
        save = { store, call in store.right.save(changed(call.key), call.record, over: call.expected) }
        remove = { store, key, expected in store.right.remove(changed(key), over: expected) }
    }

    private mutating func replaceInKeys(_ part: String, by other: String) {
        changeKeys { key in key.replacing(Array(part.utf8), with: Array(other.utf8)) }
    }

    private static func versionKey(of key: [UInt8]) -> [UInt8]? {
        key.count > 100 ? nil : key + Array(":version".utf8)
    }
}

func withoutSpacesAtEnd(_ key: [UInt8]) -> [UInt8] {
    [UInt8](key.prefix((key.lastIndex { $0 != UInt8(ascii: " ") } ?? -1) + 1))
}
