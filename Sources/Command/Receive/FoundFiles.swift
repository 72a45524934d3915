internal import CSKANSystem
internal import SKANCommandOutput
internal import SKANCore
internal import SKANSystem

/// The files of a command line, in its order; those of a folder in the order of their names, with those of the folders in
/// it. Names that begin with a dot are left out.
struct FoundFiles {
    /// How many files and folders could not be read.
    private(set) var failed: UInt64 = 0
    /// The sizes of all regular files together, in bytes.
    private(set) var bytes: UInt64 = 0

    /// Whether a message says why a file or folder cannot be read.
    private let complains: Bool

    init(complains: Bool) { self.complains = complains }

    /// The most levels of folders within folders.
    private static var mostFolders: Int { 32 }

    /// Calls `take` with each file until it answers false.
    mutating func walk(_ paths: [CText], _ take: (CText) -> Bool) {
        for path in paths {
            if !(path.isStandardInput ? take(path) : walk(path, depth: 0, take)) { return }
        }
    }

    private mutating func walk(_ path: CText, depth: Int, _ take: (CText) -> Bool) -> Bool {
        var found = stat()
        guard stat(path.characters, &found) == 0 else { return fail(path, Message(systemError: systemError)) }
        let kind = found.st_mode & UInt32(S_IFMT)
        if kind == UInt32(S_IFDIR) {
            if depth == FoundFiles.mostFolders {
                return fail(path, "expected at most \(FoundFiles.mostFolders) nested folders")
            }
            return walkFolder(path, depth: depth, take)
        }
        let isFile = kind == UInt32(S_IFREG)
        if isFile { bytes += UInt64(max(found.st_size, 0)) }
        return isFile || depth == 0 ? take(path) : true
    }

    private mutating func walkFolder(_ path: CText, depth: Int, _ take: (CText) -> Bool) -> Bool {
        var entries: UnsafeMutablePointer<UnsafeMutablePointer<dirent>?>?
        let count = Int(system_list_folder(path.characters, &entries))
        guard count >= 0, let entries else { return fail(path, Message(systemError: systemError)) }
        var goesOn = true
        for index in 0..<count {
            guard let entry = entries[index] else { continue }
            if goesOn { goesOn = walk(path.appending(system_entry_name(entry)), depth: depth + 1, take) }
            free(entry)
        }
        free(entries)
        return goesOn
    }

    private mutating func fail(_ path: CText, _ why: Message) -> Bool {
        failed += 1
        if complains { complain(path.message, why) }
        return true
    }
}

extension CText {
    fileprivate func appending(_ name: UnsafePointer<CChar>?) -> CText {
        let folder = message.utf8
        let slash: StaticString = folder.last == UInt8(ascii: "/") ? "" : "/"
        return CText(folder + slash.bytes + Message(name).utf8)
    }
}
