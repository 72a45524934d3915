package import SKANSystem

/// The least key that a page of a listing may show, in a store that lists its keys in the order of their bytes: the one
/// that follows `last`, the last key of the page before, is that key with a NUL. `last` is empty for the first page.
package func firstKey(beginningWith prefix: Bytes, after last: Bytes) -> [UInt8] {
    if last.isEmpty && !prefix.isEmpty { return [UInt8](prefix) }
    return [UInt8](last) + [0]
}

/// The least key behind all that begin with `prefix`; empty: there is none.
package func keyBehind(_ prefix: Bytes) -> [UInt8] {
    var key = [UInt8](prefix)
    while let last = key.popLast() {
        if last < UInt8.max { return key + [last + 1] }
    }
    return []
}
