package import CSKANSystem
internal import SKANSystem

/// The bytes of a file, one after the other.
package struct CSVInput: ~Copyable {
    private let file: UnsafeMutablePointer<FILE>
    private var buffer: [UInt8] = []
    private var position = 0
    private var isOver = false
    /// errno where reading failed, 0 where it says none.
    private(set) var failure: Int32?

    /// A byte-order mark, as spreadsheets write it, is left out. The file stays its owner's.
    package init(_ file: UnsafeMutablePointer<FILE>) {
        self.file = file
        fill()
        if buffer.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    }

    /// The byte that comes next; nil at the end.
    var next: UInt8? {
        mutating get {
            if position == buffer.count { fill() }
            return position < buffer.count ? buffer[position] : nil
        }
    }

    /// Takes the byte that comes next.
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
