package import SKANSystem
internal import SKANCore

/// What the key of a user of skan serve says. Records of users are records of installs, under v2/APP/IDFV, v1/APP/IDFV
/// in SKAN 3, or v2-idfa and v1-idfa where all that is known of the user is an idfa.
package struct ServedUser {
    package let app: Bytes
    /// "idfv" or "idfa".
    package let sort: StaticString
    package let user: Bytes

    /// nil if the key does not have this form. A host may give its installs ids of this form, too. Valid as long as the
    /// key.
    package init?(_ key: Bytes) {
        guard let (prefix, sort) = ServedUser.forms.first(where: { key.begins(with: $0.prefix) }) else { return nil }
        let rest = key.behind(prefix.utf8CodeUnitCount)
        guard let slash = rest.firstIndex(of: UInt8(ascii: "/")), slash + 1 < rest.count else { return nil }
        app = Bytes(rebasing: rest.prefix(slash))
        self.sort = sort
        user = rest.behind(slash + 1)
    }

    private static var forms: [(prefix: StaticString, sort: StaticString)] {
        [("v2/", "idfv"), ("v1/", "idfv"), ("v2-idfa/", "idfa"), ("v1-idfa/", "idfa")]
    }
}
