import SKANCore
package import SKANSystem

/// Returns why the bytes are not a valid install id; nil if they are valid.
package func installIDProblem(_ id: Bytes) -> StaticString? {
    if id.isEmpty { return "an install id is not empty" }
    if id.count > Limits.installIDBytes { return "an install id has at most 128 bytes" }
    var place = 0
    while place < id.count {
        guard let next = nextScalar(id, at: place) else { return "an install id is UTF-8" }
        if next.scalar < 0x20 || next.scalar == 0x7F { return "an install id has no control characters" }
        place += next.length
    }
    return nil
}
