package import SKANCommandOutput
package import SKANCommandStores
import SKANCore
import SKANEngine
package import SKANSystem

/// Rules, "Rename": gives an install of a store another id.
@export(interface)
package func renameInstall(_ old: Bytes, to new: Bytes, in store: OpenStore) -> ExitCode {
    let (oldName, newName) = (Message(utf8: [UInt8](old)), Message(utf8: [UInt8](new)))
    if let problem = RecordKind.install.nameProblem(new) {
        complain(newName, "cannot be an install's id: it would be \(problem)")
        return .found
    }
    let found = store.load(old)
    let kind = found.bytes.withUnsafeBytes { RecordKind(of: $0, under: old) }
    if found.status == .ok, kind != .install {
        complain(oldName, "expected an install, found \(kind.name)")
        return .found
    }
    do throws(Failure) {
        switch try store.records.carryOut(Renaming(old, to: new, nil)) {
        case .ok:
            StandardOutput.line("1 install renamed")
            return .fine
        case .alreadyRegistered:
            complain(newName, "there is an install of this id; nothing was changed")
        default:
            complain(oldName, "no such install in \(store.name)")
        }
    } catch {
        complain(oldName, "could not be renamed: \(error.message): \(store.words); the same command carries on")
    }
    return .found
}
