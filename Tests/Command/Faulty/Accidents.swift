import CSKANSystem
import SKANCore
import SKANStorePool
import SKANSystem

/// Accidents that a test asks for: SKAN_TEST_FAULTS is a list of NAME=N, and each Nth call of that kind ...
///   save-lost, save-made      a save whose outcome is unknown: it was not made, it was made
///   save-fails                a save that is refused
///   remove-lost, remove-made  the same of a remove
///   save-late, remove-late    the record is changed before its save or remove, to the bytes in SKAN_TEST_RECORD's file
///   load-fails, load-gone     a load that fails, that finds nothing
///   list-twice                a page whose keys all come again on the next one, and each key twice
///   list-none, list-fails     the store lists no keys, a page that fails
///   end-hangs                 a connection that takes ten minutes to close
///   interrupt                 a load during which the process gets SIGINT
enum Accidents {
    /// Calls so far, by the place of their name in SKAN_TEST_FAULTS.
    private nonisolated(unsafe) static var calls = [Int](repeating: 0, count: 256)

    /// Whether the accident is to happen in this call of its kind.
    static func isDue(_ name: StaticString) -> Bool {
        guard let faults = getenv("SKAN_TEST_FAULTS"), let found = strstr(faults, name.cString) else { return false }
        let place = found - faults
        calls[place] += 1
        return calls[place] % strtol(found + name.utf8CodeUnitCount + 1, nil, 10) == 0
    }

    /// What another process writes meanwhile.
    static func lateRecord() -> [UInt8] {
        guard let file = getenv("SKAN_TEST_RECORD").flatMap({ fopen($0, "rb") }) else { fail("SKAN_TEST_RECORD") }
        defer { fclose(file) }
        return [UInt8](unsafeUninitializedCapacity: Limits.recordBytes) { memory, count in
            count = fread(memory.baseAddress, 1, memory.count, file)
        }
    }

    static func failure(_ status: Status) -> Failure { Failure(status, "an accident") }

    static func fail(_ what: StaticString) -> Never {
        system_print_error(what.cString)
        exit(99)
    }
}
