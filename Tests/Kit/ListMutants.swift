import SKANCore

@testable import SKANStoreLaws

extension Mutant {
    static let ofLists: [Mutant] = [
        .list("no keys are not found", breaks: "nothing is listed where no record is") { store, cursor in
            let page = store.right.list(after: cursor)
            return page.keys.isEmpty ? Listed(.notFound, keys: [], cursor: page.cursor) : page
        },
        .list(
            "list drops spaces at the end of keys", breaks: "list gives every key as it is",
            changedKeys { keys in
                [UInt8](keys.split(separator: 0).map { withoutSpacesAtEnd([UInt8]($0)) + [0] }.joined())
            }),
        .list(
            "the last key of a page has no NUL", breaks: "list gives every key as it is",
            changedKeys { keys in keys.dropLast() }),
        Mutant("a removed key is listed", breaks: "removed keys are not listed") {
            $0.remove = { store, key, expected in
                let status = store.right.remove(key, over: expected)
                if status == .ok { store.shared.change { $0.key = key } }
                return status
            }
            $0.list = { store, cursor in
                let (page, removed) = (store.right.list(after: cursor), store.shared.now.key)
                if removed.isEmpty || page.keys.isEmpty { return page }
                return Listed(page.status, keys: page.keys + removed + [0], cursor: page.cursor)
            }
        },
        // What does not go into one buffer is left out.
        .list("there is one page", breaks: "list gives more keys than a buffer holds, page by page") { store, cursor in
            store.right.locked { records in
                if records.place(after: cursor) == nil { return Listed(.store, keys: [], cursor: []) }
                return Listed(.ok, keys: records.page(from: 0, atMost: .max).keys, cursor: [])
            }
        },
        // The cursor never is empty again.
        .list(
            "a listing never ends", breaks: "list gives more keys than a buffer holds, page by page"
        ) { store, cursor in
            let behind = Array("after ".utf8) + [0xFF]
            if cursor == behind { return Listed(.ok, keys: [], cursor: behind) }
            let page = store.right.list(after: cursor)
            return Listed(page.status, keys: page.keys, cursor: page.cursor.isEmpty ? behind : page.cursor)
        },
        // LIMIT and OFFSET.
        .list(
            "a cursor is a number of keys", breaks: "keys that stay are listed while others come and go"
        ) { store, cursor in
            guard let place = cursor.isEmpty ? 0 : Int(String(decoding: cursor, as: UTF8.self)) else {
                return Listed(.store, keys: [], cursor: [])
            }
            return store.right.locked { records in
                let (keys, end) = records.page(from: place)
                return Listed(.ok, keys: keys, cursor: end < records.keys.count ? Array("\(end)".utf8) : [])
            }
        },
        // The cursor says no more than that there is one.
        .list("a cursor is of one handle", breaks: "a listing goes on through another handle") { store, cursor in
            let place = cursor.isEmpty ? 0 : Int(store.own.now.number)
            if !cursor.isEmpty && (cursor != Array("+".utf8) || place == 0) {
                return Listed(.store, keys: [], cursor: [])
            }
            let (page, end, isLast) = store.right.locked { records in
                let (keys, end) = records.page(from: place)
                return (keys, end, end == records.keys.count)
            }
            store.own.change { $0.number = UInt64(end) }
            return Listed(.ok, keys: page, cursor: isLast ? [] : Array("+".utf8))
        },
        // It begins anew.
        .list("any cursor will do", breaks: "list refuses a cursor that it did not make") { store, cursor in
            let page = store.right.list(after: cursor)
            return page.status == .ok ? page : store.right.list(after: [])
        },
        // Records are gone through by their number, and not kept as they are meanwhile.
        .list(
            "a page is read without a lock", breaks: "keys that stay are listed beside threads that save and remove"
        ) { store, cursor in
            guard var place = store.right.locked({ $0.place(after: cursor) }) else {
                return Listed(.store, keys: [], cursor: [])
            }
            var keys: [UInt8] = []
            while let key = store.right.locked({ place < $0.keys.count ? $0.keys[place] : nil }) {
                keys += key + [0]
                place += 1
                if place % 16 == 0 { passAMoment() }
            }
            return Listed(.ok, keys: keys, cursor: [])
        },
    ]

    private static func changedKeys(
        _ changed: @escaping @Sendable ([UInt8]) -> [UInt8]
    ) -> Listing {
        { store, cursor in
            let page = store.right.list(after: cursor)
            return Listed(page.status, keys: changed(page.keys), cursor: page.cursor)
        }
    }

    /// What no law finds that tries one thing at a time; all of it happens to one sort of key only.
    static let ofSequences: [Mutant] = [
        .save(
            "now and then a save loses a byte", breaks: "generated sequences on one handle are as the model says"
        ) { store, call in
            let count = isOdd(call.key) ? store.shared.change { $0.count() } : 1
            let record = count % 20 == 0 && call.record.count > 1 ? call.record.dropLast() : call.record
            return store.right.save(call.key, record, over: call.expected)
        },
        // While two are open, each shows the last record that it saved where the record is gone.
        Mutant(
            "a handle does not see that others removed",
            breaks: "generated sequences on two handles are as the model says"
        ) {
            $0.load = { store, call in
                let (loaded, last) = (store.right.load(call.key), store.own.now.number)
                guard loaded.status == .notFound, last != 0, isOdd(call.key), store.run.openHandles > 1 else {
                    return loaded
                }
                return Loaded(.ok, version: last, Array("removed".utf8))
            }
            $0.save = { store, call in
                let saved = store.save(call, over: call.expected)
                if saved.status == .ok && isOdd(call.key) && store.run.openHandles > 1 {
                    store.own.change { $0.number = saved.version }
                }
                return saved
            }
        },
        Mutant("a removed record comes back", breaks: "generated sequences with reopening are as the model says") {
            $0.remove = { store, key, expected in
                let status = store.right.remove(key, over: expected)
                if status == .ok && isOdd(key) { store.shared.change { $0.key = key } }
                return status
            }
            $0.reopened = { run in
                let removed = run.memory.now.key
                run.right.locked { records in
                    if !removed.isEmpty && records[removed] == nil { records.put(removed, Array("undone".utf8)) }
                }
            }
        },
    ]

    private static func isOdd(_ key: [UInt8]) -> Bool { key.contains(Array("{b}".utf8)) }
}
