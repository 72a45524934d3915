import SKANCommandOutput
import SKANCommandRecords
import SKANCommandStores
import SKANCore
import SKANSystem

extension Subcommand {
    static let forget = Subcommand(
        "forget", ["STORE", "[INSTALL]..."],
        summary: "erases what is stored of installs, or of users of skan serve",
        """
        Removes the records of these installs, whatever they hold, also while services use the store. --app with \
        --idfv, or with the item that identifies users without one, names a user of skan serve. Revenue that comes \
        later makes a new record of an unregistered install: skan purge --unregistered-before removes such records.

        Postbacks stay: Apple's do not say whose they are. Backups, logs and what others were told are not changed. \
        The exit code is 1 if one of the installs was not there. Put -- before a name that begins with -.
        """,
        [.stores], values: AskedForget(),
        options: OptionGroup(
            .value("app", "ID", "The bundle id of the app whose user is erased.") { $0.app = $1.utf8 },
            .user("idfv", "idfv", "Erases the user of the app with this idfv."),
            .user("idfa", "idfa", "Erases the user of the app with this idfa."),
            .user("sing", "sing", "Erases the user of the app with this sing."),
            .user("sdid", "sdid", "Erases the user of the app with this sdid."),
            .user("custom-user-id", "custom_user_id", "Erases the user of the app with this custom_user_id."))
    ) { given throws(CommandEnd) in
        var people: [ForgottenPerson] = []
        for id in given.arguments.dropFirst().map({ $0.message }) {
            if let problem = id.utf8.withUnsafeBytes({ installIDProblem($0) }) {
                throw .usage(what: id, why: "\(problem)")
            }
            people.append(ForgottenPerson(install: [UInt8](id.utf8)))
        }
        let asked = given.values
        guard (asked.app == nil) == asked.users.isEmpty else {
            throw .usage(what: "forget", why: "expected --app ID together with --idfv ID or another id of the user")
        }
        if let app = asked.app {
            people += asked.users.map { ForgottenPerson(app: app, user: $0.id, item: $0.item) }
        }
        guard !people.isEmpty else {
            throw .usage(
                what: "forget", why: "expected an INSTALL, or --app ID with --idfv ID or another id of the user")
        }
        return forgetInstalls(people, in: try OpenStore.open(given.arguments[0], for: .changes))
    }
}

private struct AskedForget {
    var app: [UInt8]?
    var users: [(id: [UInt8], item: StaticString)] = []
}

extension OptionRow<AskedForget> {
    /// Returns an option that names a user of skan serve by an item of requests, such as "idfv".
    fileprivate static func user(_ name: StaticString, _ item: StaticString, _ sentence: StaticString) -> OptionRow {
        .value(name, "ID", sentence, isRepeatable: true) { $0.users.append((id: $1.utf8, item: item)) }
    }
}
