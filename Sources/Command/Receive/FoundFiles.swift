import CSKANSystem
import SKANCommandOutput
import SKANCore
import SKANSystem

/// The files of a command line, in its order. Files and subfolders of a folder come in the order of their names. Names
/// that begin with a dot are skipped.
///
/// A path on the command line may be a link. Links in folders are skipped and counted: they could form cycles, or lead
/// to files that the person who filled the folder is not allowed to read. Each folder is opened relative to its parent,
/// so that it cannot be replaced by a link meanwhile, and is read once.
struct FoundFiles {
    /// The number of links that were skipped.
    private(set) var links: UInt64 = 0
    /// The total size of all regular files in bytes.
    private(set) var bytes: UInt64 = 0

    private var folders: Set<FolderID> = []
    /// Called with each file or folder that cannot be read, and the reason.
    private let fail: (CText, Message) -> Void

    init(_ fail: @escaping (_ path: CText, _ why: Message) -> Void) { self.fail = fail }

    /// The maximum depth of nested folders.
    private static var mostFolders: Int { 32 }

    /// Calls `take` with each file until `take` returns false, or the command is ending.
    mutating func walk(_ paths: [CText], _ take: (FoundFile) -> Bool) {
        for path in paths {
            if !walk(path, take) { return }
        }
    }

    private mutating func walk(_ path: CText, _ take: (FoundFile) -> Bool) -> Bool {
        if path.isStandardInput { return take(FoundFile(named: path)) }
        var found = stat()
        guard stat(path.characters, &found) == 0 else { return refuse(path) }
        if found.kind == S_IFDIR {
            let folder = system_open(path.characters, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)
            return walk(OpenFolder(file: folder, path: path, depth: 0), take)
        }
        if found.kind == S_IFREG { bytes += UInt64(max(found.st_size, 0)) }
        return take(FoundFile(named: path))
    }

    /// Walks a folder and closes it.
    private mutating func walk(_ folder: OpenFolder, _ take: (FoundFile) -> Bool) -> Bool {
        var found = stat()
        guard folder.file >= 0 else { return refuse(folder.path) }
        defer { close(folder.file) }
        guard fstat(folder.file, &found) == 0 else { return refuse(folder.path) }
        let id = FolderID(device: UInt64(found.st_dev), inode: UInt64(found.st_ino))
        guard folders.insert(id).inserted else { return true }
        if folder.depth == FoundFiles.mostFolders {
            return refuse(folder.path, "expected at most \(FoundFiles.mostFolders) nested folders")
        }
        var entries: UnsafeMutablePointer<UnsafeMutablePointer<dirent>?>?
        let count = Int(system_list_folder(folder.file, &entries))
        guard count >= 0 else { return refuse(folder.path) }
        var goesOn = true
        for index in 0..<count {
            guard let entry = entries?[index] else { continue }
            goesOn = goesOn && !Ending.isEnding && walk(Message(system_entry_name(entry)), in: folder, take)
            free(entry)
        }
        free(entries)
        return goesOn
    }

    private mutating func walk(_ entry: Message, in folder: OpenFolder, _ take: (FoundFile) -> Bool) -> Bool {
        let name = CText(entry.utf8)
        let path = folder.path.appending(entry)
        var found = stat()
        guard fstatat(folder.file, name.characters, &found, AT_SYMLINK_NOFOLLOW) == 0 else { return refuse(path) }
        switch found.kind {
        case S_IFLNK:
            links += 1
        case S_IFDIR:
            let file = system_open_at(
                folder.file, name.characters, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            return walk(OpenFolder(file: file, path: path, depth: folder.depth + 1), take)
        case S_IFREG:
            bytes += UInt64(max(found.st_size, 0))
            return take(FoundFile(name, in: folder.file, path: path))
        default:
            // A device, socket or FIFO, which might never end.
            break
        }
        return true
    }

    private func refuse(_ path: CText) -> Bool { refuse(path, Message(systemError: systemError)) }

    private func refuse(_ path: CText, _ why: Message) -> Bool {
        fail(path, why)
        return true
    }
}

/// An open folder; its file is negative if it could not be opened.
private struct OpenFolder {
    let file: Int32
    let path: CText
    /// The number of folders above this one, up to the one on the command line.
    let depth: Int
}

/// Identifies a folder, whatever path leads to it.
private struct FolderID: Hashable {
    let device: UInt64
    let inode: UInt64
}

extension stat {
    fileprivate var kind: Int32 { Int32(truncatingIfNeeded: st_mode) & S_IFMT }
}

extension CText {
    fileprivate func appending(_ name: Message) -> CText {
        let folder = message.utf8
        let slash: StaticString = folder.last == UInt8(ascii: "/") ? "" : "/"
        return CText(folder + slash.bytes + name.utf8)
    }
}
