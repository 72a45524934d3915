import CSKANSystem
import SKANCommandOutput
import SKANCore
import SKANSystem

/// A file to receive: named on the command line, or found in a folder named there.
struct FoundFile {
    /// The path, for messages, and for opening a file that the command line names.
    let path: CText
    /// The folder that contains the file, open while the file is used; nil if the command line names the file.
    private let folder: (file: Int32, name: CText)?

    init(named path: CText) {
        self.path = path
        folder = nil
    }

    init(_ name: CText, in folder: Int32, path: CText) {
        self.path = path
        self.folder = (folder, name)
    }

    var name: Message { isStandardInput ? "standard input" : path.message }

    private var isStandardInput: Bool { folder == nil && path.isStandardInput }

    /// Opens the file, which the caller closes. A file in a folder may have become a link or a device since it was
    /// found. It is then refused, because anyone who can write to the folder could otherwise have any file of the
    /// system read.
    func open() throws(Failure) -> Int32 {
        clearSystemError()
        let file: Int32
        if let folder {
            file = system_open_at(folder.file, folder.name.characters, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        } else if isStandardInput {
            file = system_duplicate(STDIN_FILENO)
        } else {
            file = system_open(path.characters, O_RDONLY | O_CLOEXEC, 0)
        }
        if file < 0 { throw Failure(.invalidDocument, Message(systemError: systemError)) }
        if folder == nil || isRegular(file) { return file }
        close(file)
        throw Failure(.invalidDocument, "expected a regular file")
    }
}

private func isRegular(_ file: Int32) -> Bool {
    var found = stat()
    return fstat(file, &found) == 0 && found.st_mode & UInt32(S_IFMT) == UInt32(S_IFREG)
}
