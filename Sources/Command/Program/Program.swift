import SKANCommand

@_cdecl("main")
public func main(_ count: Int32, _ words: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> Int32 {
    runCommand(UnsafeBufferPointer(start: words, count: Int(count)))
}
