package import SKANSystem
import SKANCore

/// The parts of a key of a user of skan serve. Records of users are records of installs under v2/APP/USER, or
/// v1/APP/USER for SKAN 3. The prefix is v2-idfa or v1-idfa if only the user's idfa is known, and likewise for other
/// ids.
package struct ServedUser {
    package let app: Bytes
    /// The name of the query item with the user's id in requests, such as "idfv".
    package let sort: StaticString
    package let user: Bytes

    /// Parses a key; nil if it is not the key of a user of skan serve. The parts point into the key's bytes and must
    /// not outlive them. A match is no proof: a host's own install id can have the same form.
    package init?(_ key: Bytes) {
        guard let (prefix, sort) = ServedUser.forms.first(where: { key.begins(with: $0.prefix) }) else { return nil }
        let rest = key.behind(prefix.utf8CodeUnitCount)
        guard let slash = rest.firstIndex(of: UInt8(ascii: "/")), slash + 1 < rest.count else { return nil }
        app = Bytes(rebasing: rest.prefix(slash))
        self.sort = sort
        user = rest.behind(slash + 1)
    }

    /// Returns the prefixes of the keys of users whom requests identify by this query item, such as "idfv".
    @export(interface)
    package static func keyStarts(of item: StaticString) -> [StaticString] {
        forms.filter { $0.sort.bytes.elementsEqual(item.bytes) }.map { $0.prefix }
    }

    private static var forms: [(prefix: StaticString, sort: StaticString)] {
        [
            ("v2/", "idfv"), ("v1/", "idfv"), ("v2-idfa/", "idfa"), ("v1-idfa/", "idfa"), ("v2-sing/", "sing"),
            ("v1-sing/", "sing"), ("v2-sdid/", "sdid"), ("v1-sdid/", "sdid"),
            ("v2-custom_user_id/", "custom_user_id"), ("v1-custom_user_id/", "custom_user_id"),
        ]
    }
}
