package import SKANCore
package import SKANSystem

extension OpenStore {
    /// Rules, "Rename": whether a record under this key is an install. One that is arriving is one if its old record
    /// has moved; nearly no record has to be loaded for this.
    package func isInstall(_ state: borrowing InstallState, under key: Bytes) -> Bool {
        guard let mark = state.rename else { return true }
        guard mark.stage == .arriving else { return mark.counts }
        let old = mark.other.withUnsafeBytes { load($0) }
        var left = InstallState(.skan4)
        do throws(Failure) {
            try old.bytes.withUnsafeBytes { bytes throws(Failure) in
                try Record.read(bytes, isOwn: false, into: &left)
            }
        } catch {
            return false
        }
        return left.rename == RenameMark(.moved, [UInt8](key))
    }
}
