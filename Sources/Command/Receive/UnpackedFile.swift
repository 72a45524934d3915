internal import CSKANSystem
internal import CSKANZlib
internal import SKANCore
internal import SKANSystem

/// A file, or standard input, as zlib reads it: gzip, which shows in the first bytes, is unpacked, anything else comes as
/// it is.
final class UnpackedFile {
    private let file: gzFile
    private let memory: UnsafeMutableRawBufferPointer
    private var unpacked: UInt64 = 0

    private static var blockBytes: Int { 65_536 }

    /// nil where the file cannot be opened; `systemError` says why.
    init?(_ path: CText, isStandardInput: Bool) {
        let mode = ("rb" as StaticString).cString
        clearSystemError()
        let opened = isStandardInput ? gzdopen(dup(STDIN_FILENO), mode) : gzopen(path.characters, mode)
        guard let opened else { return nil }
        file = opened
        memory = .allocate(byteCount: UnpackedFile.blockBytes, alignment: 1)
    }

    deinit {
        gzclose(file)
        memory.deallocate()
    }

    /// The bytes of the file that were used so far, packed as they are; of a pipe, unpacked.
    var position: UInt64 {
        let offset = gzoffset(file)
        return offset >= 0 ? UInt64(offset) : unpacked
    }

    /// The next bytes, valid until those after them are read; empty at the end.
    func next() throws(Failure) -> Bytes {
        clearSystemError()
        let count = gzread(file, memory.baseAddress, UInt32(UnpackedFile.blockBytes))
        let reason = systemError
        if count > 0 {
            unpacked += UInt64(count)
            return Bytes(rebasing: Bytes(memory)[..<Int(count)])
        }
        var code: Int32 = 0
        gzerror(file, &code)
        switch code {
        case Z_OK, Z_STREAM_END: return Bytes(start: nil, count: 0)
        case Z_ERRNO: throw Failure(.invalidDocument, Message(systemError: reason))
        case Z_BUF_ERROR: throw Failure(.invalidDocument, "its gzip data ends early: was all of the file copied?")
        default: throw Failure(.invalidDocument, "its gzip data is damaged")
        }
    }
}
