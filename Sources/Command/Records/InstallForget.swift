package import SKANCommandOutput
package import SKANCommandStores
import SKANCore
import SKANEngine
import SKANSystem

/// A person whose records are to be removed: the keys that their records may have, and their name in messages.
package struct ForgottenPerson {
    let name: Message
    let keys: [[UInt8]]

    package init(install id: [UInt8]) {
        name = Message(utf8: id)
        keys = [id]
    }

    /// Rules, "Endpoint users": a user of skan serve, in either protocol. `item`: the query item with the user's id in
    /// requests, such as "idfv".
    @export(interface)
    package init(app: [UInt8], user: [UInt8], item: StaticString) {
        var spelled = ByteBuffer(capacity: user.count)
        user.withUnsafeBytes { spelled.append(user: $0) }
        let end = app + [UInt8(ascii: "/")] + spelled.array
        name = Message(utf8: user)
        keys = ServedUser.keyStarts(of: item).map { [UInt8]($0.bytes) + end }
    }
}

/// Rules, "Forget": removes all records of these people, even damaged ones and those that are too new.
@export(interface)
package func forgetInstalls(_ people: [ForgottenPerson], in store: OpenStore) -> ExitCode {
    var removed: UInt64 = 0
    var isFine = true
    for person in people where !Ending.isEnding {
        var found: UInt64 = 0
        for key in person.keys {
            guard let isRemoved = key.withUnsafeBytes({ forget($0, in: store) }) else {
                isFine = false
                continue
            }
            if isRemoved { found += 1 }
        }
        if found == 0 {
            isFine = false
            complain(person.name, "no such install in \(store.name)")
        }
        removed += found
    }
    StandardOutput.line("\(removed) record\(plural(removed)) removed")
    return isFine && !Ending.isEnding ? .fine : .found
}

/// Removes the record of an install. Returns whether there was one. If the record may still be there, prints a message
/// and returns nil.
private func forget(_ key: Bytes, in store: OpenStore) -> Bool? {
    let name = Message(utf8: [UInt8](key))
    let there = store.load(key)
    if there.status == .notFound { return false }
    let kind = there.bytes.withUnsafeBytes { RecordKind(of: $0, under: key) }
    guard there.status != .ok || kind == .install else {
        complain(name, "expected an install, found \(kind.name)")
        return nil
    }
    do throws(Failure) {
        _ = try store.records.carryOut(SingleInstall(removing: key))
        return true
    } catch {
        complain(name, "could not be removed: \(store.words)")
        return nil
    }
}
