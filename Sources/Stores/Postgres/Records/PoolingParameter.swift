internal import SKANCore
internal import SKANSystem

/// Removes the parameter pooled=1 or pooled=0 from a URI's query, because libpq refuses parameters that it does not
/// know. Returns the rest of the URI, and whether the value was 1.
func withoutPooling(_ url: CText) throws(Failure) -> (url: CText, isPooled: Bool) {
    let text = url.utf8
    guard text.starts(with: StaticString("postgres").bytes), let mark = text.lastIndex(of: UInt8(ascii: "?")) else {
        return (url, false)
    }
    var kept = [UInt8](text[..<mark])
    var said: ArraySlice<UInt8>?
    for part in text[(mark + 1)...].split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false) {
        if part.starts(with: StaticString("pooled=").bytes) {
            said = part.dropFirst(StaticString("pooled=").bytes.count)
        } else {
            kept.append(UInt8(ascii: kept.count == mark ? "?" : "&"))
            kept += part
        }
    }
    guard let said else { return (url, false) }
    guard said.elementsEqual([UInt8(ascii: "0")]) || said.elementsEqual([UInt8(ascii: "1")]) else {
        throw Failure(.invalidArgument, "url: pooled: expected 0 or 1")
    }
    return (CText(kept), said.first == UInt8(ascii: "1"))
}
