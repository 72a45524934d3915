internal import SKANCore

/// Laws of listing keys by prefix: exactly the keys that begin with the prefix are listed, and every listing ends.
extension Law {
    static let ofPrefixes = [
        Law("list_with_prefix gives exactly the keys that begin so", of: .listWithPrefix) { run, store throws(LawEnd) in
            let keys = try run.oddKeys()
            var shelf = Shelf(keys)
            try shelf.save(store) { _ in "a record" }
            // Each key is used as a prefix too; it must at least list itself.
            for key in keys { try run.lists(store, withPrefix: key.bytes, keys) }
            try run.lists(store, withPrefix: run.beginning, keys)
            try run.lists(store, withPrefix: run.beginning + Message("nothing begins so").utf8, keys)
            try Listing(store, withPrefix: []).expect(keys)
            try shelf.remove(store, [0])
            try run.lists(store, withPrefix: keys[0].bytes, [Key](keys.dropFirst()))
        },
        // The keys lie between other keys. If the store shares its records, two handles read the pages in turn.
        Law(
            "list_with_prefix gives more keys than a buffer holds, page by page", of: .listWithPrefix
        ) { run, own throws(LawEnd) in
            let second = run.settings.isShared ? try run.another() : nil
            for other in ["/", "1", "~"] as [Message] { try own.saves(try run.longestKey(other), "a record") }
            let keys = try run.insertMany(own)
            let prefix = run.beginning + [UInt8(ascii: "0")]
            try Listing(own, second ?? own, withPrefix: prefix).expect(keys)
        },
        Law(
            "list_with_prefix refuses a cursor that it did not make", of: .listWithPrefix
        ) { run, store throws(LawEnd) in
            let key = try run.key("key")
            try store.saves(key, "a record")
            try store.refusesOtherCursors(withPrefix: run.beginning)
            try run.lists(store, withPrefix: run.beginning, [key])  // the store still works
        },
    ]
}
