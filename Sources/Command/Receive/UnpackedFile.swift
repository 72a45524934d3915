import SKANCommandOutput
import SKANCommandServer
import SKANCore
import SKANSystem

/// The contents of a file. A gzip file, which is recognised by its first bytes, is unpacked; any other file is read as
/// it is.
///
/// A gzip file has one or more members. Only zeros may follow the last one. Anything else is an error, since it may be
/// a member with a damaged header.
final class UnpackedFile: WrittenBlocks {
    private enum Form {
        case unknown
        case plain
        /// The bytes of a gzip member follow.
        case packed
        case betweenMembers
        /// The last member ended, and only zeros may follow.
        case padding
        case over
    }

    private let blocks: FileBlocks
    private let member = GzipMember()
    private var form = Form.unknown

    /// Takes ownership of the file, which `deinit` closes.
    init(_ file: Int32) { blocks = FileBlocks(file) }

    /// The number of bytes of the file consumed so far, as stored (possibly packed).
    var position: UInt64 { blocks.position }

    /// Returns the next bytes, valid until the next call; empty at the end.
    func next() throws(Failure) -> Bytes {
        while form != .over {
            switch form {
            case .unknown: try begin()
            case .plain: return try nextPlain()
            case .packed:
                let unpacked = try unpack()
                if !unpacked.isEmpty { return unpacked }
            case .betweenMembers: try beginNextMember()
            case .padding: try passPadding()
            case .over: break
            }
        }
        return Bytes(start: nil, count: 0)
    }

    private func begin() throws(Failure) {
        try blocks.fill(atLeast: GzipMember.magic.count)
        if blocks.rest.starts(with: GzipMember.magic) { try beginMember() } else { form = .plain }
    }

    private func nextPlain() throws(Failure) -> Bytes {
        try blocks.fill(atLeast: 1)
        let bytes = blocks.rest
        blocks.use(bytes.count)
        return bytes
    }

    // MARK: Members

    private func beginMember() throws(Failure) {
        try member.begin()
        form = .packed
    }

    private func unpack() throws(Failure) -> Bytes {
        try blocks.fill(atLeast: 1)
        let step = try member.step(blocks.rest)
        blocks.use(step.used)
        if step.isEnd {
            form = .betweenMembers
        } else if step.used == 0 && step.unpacked.isEmpty {
            throw endsEarly
        }
        return step.unpacked
    }

    private func beginNextMember() throws(Failure) {
        try blocks.fill(atLeast: GzipMember.magic.count)
        let rest = blocks.rest
        if rest.isEmpty {
            form = .over
        } else if rest.first == 0 {
            form = .padding
        } else if rest.starts(with: GzipMember.magic) {
            try beginMember()
        } else {
            throw GzipMember.magic.starts(with: rest) ? endsEarly : unexpected
        }
    }

    private func passPadding() throws(Failure) {
        try blocks.fill(atLeast: 1)
        let rest = blocks.rest
        let zeros = rest.prefix { $0 == 0 }.count
        blocks.use(zeros)
        if zeros < rest.count { throw unexpected }
        if zeros == 0 { form = .over }
    }

    private var endsEarly: Failure {
        Failure(.invalidDocument, "its gzip data ends early: was all of the file copied?")
    }

    private var unexpected: Failure {
        Failure(
            .invalidDocument,
            """
            its gzip data is damaged: from byte \(position) on it is neither gzip nor zeros, and was not read
            """)
    }
}
