import CSKANSystem
import SKANCore
import SKANStorePool
import SKANSystem

/// Accidents that a test asks for. SKAN_TEST_FAULTS is a list of NAME=N; every Nth call of the kind has the accident:
///   save-lost, save-made      a save has an unknown outcome; it was not made, or it was made
///   save-fails                a save is refused
///   remove-lost, remove-made  the same for a removal
///   save-late, remove-late    the record changes before its save or removal, to the bytes in SKAN_TEST_RECORD's file
///   load-fails, load-gone     a load fails, or finds nothing
///   list-twice                a page has each of its keys twice, after the keys of the last such page
///   list-none, list-fails     the store cannot list keys, or a page fails
///   end-hangs                 a connection takes ten minutes to close
///   interrupt                 the process gets SIGINT during a load
enum Accidents {
    /// The number of calls so far, indexed by the position of the accident's name in SKAN_TEST_FAULTS.
    private nonisolated(unsafe) static var calls = [Int](repeating: 0, count: 256)

    /// Counts a call of the accident's kind; returns whether the accident happens in this call.
    static func isDue(_ name: StaticString) -> Bool {
        guard let faults = getenv("SKAN_TEST_FAULTS"), let found = strstr(faults, name.cString) else { return false }
        let place = found - faults
        calls[place] += 1
        return calls[place] % strtol(found + name.utf8CodeUnitCount + 1, nil, 10) == 0
    }

    /// Returns the record that another process writes meanwhile.
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
