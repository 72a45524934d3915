package import SKANCore
package import SKANSystem

extension OpenStore {
    /// Rules, "Rename": whether a record under this key counts as an install. A record marked as arriving counts only
    /// if the record under the old id is marked as moved to this key. Only in this rare case is another record loaded.
    package func isInstall(_ state: InstallState, under key: Bytes) -> Bool {
        guard let mark = state.rename else { return true }
        guard mark.stage == .arriving else { return mark.counts }
        let old = mark.other.withUnsafeBytes { load($0) }
        return old.bytes.withUnsafeBytes { renameMark(in: $0) } == RenameMark(.moved, [UInt8](key))
    }
}

private func renameMark(in record: Bytes) -> RenameMark? {
    var state = InstallState(.skan4)
    do throws(Failure) {
        try Record.read(record, isOwn: false, into: &state)
        return state.rename
    } catch {
        return nil
    }
}
