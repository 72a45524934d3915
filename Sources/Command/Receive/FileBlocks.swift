import CSKANSystem
import SKANCommandOutput
import SKANCore
import SKANSystem

/// The bytes of an open file, read block by block.
final class FileBlocks {
    private let file: Int32
    private let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 1)
    private var unused = 0..<0
    private var read: UInt64 = 0

    /// Takes ownership of the file, which `deinit` closes.
    init(_ file: Int32) { self.file = file }

    deinit {
        close(file)
        memory.deallocate()
    }

    /// The bytes that were read but not used yet. Valid until the next call.
    var rest: Bytes { Bytes(rebasing: memory[unused]) }

    /// The number of bytes used so far.
    var position: UInt64 { read - UInt64(unused.count) }

    func use(_ count: Int) { unused = min(unused.lowerBound + count, unused.upperBound)..<unused.upperBound }

    /// Reads until at least `count` bytes are unused, or the file ends.
    func fill(atLeast count: Int) throws(Failure) {
        if unused.count >= count { return }
        UnsafeMutableRawBufferPointer(rebasing: memory[..<unused.count]).copyMemory(from: rest)
        unused = 0..<unused.count
        while unused.count < count {
            let added = try readMore()
            if added == 0 { return }
            unused = 0..<(unused.count + added)
            read += UInt64(added)
        }
    }

    /// Reads once and returns the number of bytes read; 0 at the end of the file.
    private func readMore() throws(Failure) -> Int {
        let room = UnsafeMutableRawBufferPointer(rebasing: memory[unused.upperBound...])
        while true {
            if Ending.isEnding { throw Failure(.invalidDocument, "it was not read to its end") }
            clearSystemError()
            let count = CSKANSystem.read(file, room.baseAddress, room.count)
            if count >= 0 { return count }
            if systemError != EINTR { throw Failure(.invalidDocument, Message(systemError: systemError)) }
        }
    }
}
