internal import SKANCommand
internal import SKANSystem

@_cdecl("main")
public func main(
    _ count: Int32, _ words: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> Int32 {
    let given = UnsafeBufferPointer(start: words, count: Int(count))
    return runCommand(given.compactMap { $0.map { CText(copying: $0) } })
}
