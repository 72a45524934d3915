package import SKANSystem

/// Returns the least key, in byte order, that the next page of a listing can contain. The listing is of the keys that
/// begin with `prefix`. `last` is the last key of the previous page, and is empty for the first page. The least key
/// after `last` is `last` with a NUL appended.
package func firstKey(beginningWith prefix: Bytes, after last: Bytes) -> [UInt8] {
    if last.isEmpty && !prefix.isEmpty { return [UInt8](prefix) }
    return [UInt8](last) + [0]
}

/// Returns the least key that is greater than all keys that begin with `prefix`, for example "ac" for "ab"; empty if
/// there is none.
package func keyBehind(_ prefix: Bytes) -> [UInt8] {
    var key = [UInt8](prefix)
    while let last = key.popLast() {
        if last < UInt8.max { return key + [last + 1] }
    }
    return []
}
