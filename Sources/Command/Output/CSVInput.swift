package import CSKANSystem
import SKANSystem

/// The bytes of a file, read one by one.
package struct CSVInput: ~Copyable {
    private let file: UnsafeMutablePointer<FILE>
    private var buffer: [UInt8] = []
    private var position = 0
    private var isOver = false
    /// The errno of a failed read, or 0 if the system gave none; nil if reading did not fail.
    private(set) var failure: Int32?

    /// Reads from a file, which it does not own. Skips a byte-order mark, which spreadsheets write.
    package init(_ file: UnsafeMutablePointer<FILE>) {
        self.file = file
        fill()
        if buffer.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    }

    /// The next byte, which stays in the input; nil at the end.
    var next: UInt8? {
        mutating get {
            if position == buffer.count { fill() }
            return position < buffer.count ? buffer[position] : nil
        }
    }

    /// nil at the end.
    mutating func take() -> UInt8? {
        guard let byte = next else { return nil }
        position += 1
        return byte
    }

    private mutating func fill() {
        guard !isOver else { return }
        let file = file
        buffer = [UInt8](unsafeUninitializedCapacity: 65_536) { room, count in
            count = fread(room.baseAddress, 1, room.count, file)
        }
        position = 0
        isOver = buffer.isEmpty
        if ferror(file) != 0 {
            failure = systemError
            isOver = true
        }
    }
}
