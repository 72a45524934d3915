import CSKANSystem
import SKANCore
import SKANSystem
import Testing

@testable import SKANCommandReceive

/// Whoever can write to a folder can replace what was found there before it is opened.
@Suite("A file in a folder that was replaced since it was found")
struct FoundFileTests {
    private final class Folder {
        let path = "/tmp/skan-found-\(UInt64.random(in: 0...UInt64.max))"
        let file: Int32

        init() {
            mkdir(path, 0o700)
            file = system_open(path, O_RDONLY | O_DIRECTORY, 0)
        }

        deinit {
            for name in ["file", "link", "fifo"] { unlink("\(path)/\(name)") }
            rmdir(path)
            close(file)
        }

        func open(_ name: String) throws(Failure) -> Int32 {
            try FoundFile(CText(Array(name.utf8)), in: file, path: CText(Array("\(path)/\(name)".utf8))).open()
        }
    }

    @Test("is opened as long as it is a file")
    func file() throws {
        let folder = Folder()
        close(system_open("\(folder.path)/file", O_WRONLY | O_CREAT, 0o600))
        let file = try folder.open("file")
        #expect(file >= 0)
        close(file)
    }

    @Test("is refused as a link")
    func link() {
        let folder = Folder()
        symlink("/etc/passwd", "\(folder.path)/link")
        #expect(throws: Failure.self) { try folder.open("link") }
    }

    @Test("is refused as a FIFO, and nobody waits for its writer")
    func fifo() {
        let folder = Folder()
        mkfifo("\(folder.path)/fifo", 0o600)
        #expect(throws: Failure.self) { try folder.open("fifo") }
    }
}
