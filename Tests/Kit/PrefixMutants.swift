import SKANCore

@testable import SKANStoreLaws

extension Mutant {
    private static let exactly = "list_with_prefix gives exactly the keys that begin so"
    private static let pages = "list_with_prefix gives more keys than a buffer holds, page by page"

    static let ofPrefixes: [Mutant] = [
        .listWithPrefix("a prefix is not looked at", breaks: exactly) { store, _, cursor in
            store.right.list(after: cursor)
        },
        // LIKE.
        .listWithPrefix("a prefix is a pattern", breaks: exactly) { store, prefix, cursor in
            store.right.list(after: cursor) { key in
                key.count >= prefix.count
                    && zip(key, prefix).allSatisfy { $0 == $1 || $1 == UInt8(ascii: "_") }
            }
        },
        .listWithPrefix("a prefix is longer than any key", breaks: exactly) { store, prefix, cursor in
            store.right.list(after: cursor) { $0.count > prefix.count && $0.starts(with: prefix) }
        },
        .listWithPrefix("an empty prefix lists nothing", breaks: exactly) { store, prefix, cursor in
            prefix.isEmpty ? Listed(.ok, keys: [], cursor: []) : store.right.list(withPrefix: prefix, after: cursor)
        },
        Mutant("a removed key is listed by its prefix", breaks: exactly) {
            $0.remove = { store, key, expected in
                let status = store.right.remove(key, over: expected)
                if status == .ok { store.shared.change { $0.key = key } }
                return status
            }
            $0.listWithPrefix = { store, prefix, cursor in
                let (page, removed) = (
                    store.right.list(withPrefix: prefix, after: cursor), store.shared.now.key
                )
                guard !removed.isEmpty, removed.starts(with: prefix), page.cursor.isEmpty else { return page }
                return Listed(page.status, keys: page.keys + removed + [0], cursor: page.cursor)
            }
        },
        // There may be others before the first one.
        .listWithPrefix(
            "a listing ends at the first key that begins otherwise", breaks: pages
        ) { store, prefix, cursor in
            var isOver = false
            let page = store.right.list(after: cursor) { key in
                isOver = isOver || !key.starts(with: prefix)
                return !isOver
            }
            return Listed(page.status, keys: page.keys, cursor: isOver ? [] : page.cursor)
        },
        // The first page is the right one.
        .listWithPrefix("later pages have other keys too", breaks: pages) { store, prefix, cursor in
            cursor.isEmpty
                ? store.right.list(withPrefix: prefix, after: cursor) : store.right.list(after: cursor)
        },
        .listWithPrefix(
            "any cursor will do with a prefix", breaks: "list_with_prefix refuses a cursor that it did not make"
        ) { store, prefix, cursor in
            let page = store.right.list(withPrefix: prefix, after: cursor)
            return page.status == .ok ? page : store.right.list(withPrefix: prefix, after: [])
        },
    ]
}
