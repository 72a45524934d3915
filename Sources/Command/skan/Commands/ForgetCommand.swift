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
        --idfv or --idfa names a user of skan serve. Revenue that comes later makes a new record of an unregistered \
        install: skan purge --unregistered-before removes such records.

        Postbacks stay: Apple's do not say whose they are. Backups, logs and what others were told are not changed. \
        The exit code is 1 if one of the installs was not there. Put -- before a name that begins with -.
        """,
        [.stores], values: AskedForget(),
        options: OptionGroup(
            .value("app", "ID", "The bundle id of the app whose user is erased.") { $0.app = $1.utf8 },
            .value("idfv", "ID", "Erases the user of the app with this idfv.", isRepeatable: true) {
                $0.users.append((id: $1.utf8, isIDFA: false))
            },
            .value("idfa", "ID", "Erases the user of the app with this idfa.", isRepeatable: true) {
                $0.users.append((id: $1.utf8, isIDFA: true))
            })
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
            throw .usage(what: "forget", why: "expected --app ID together with --idfv ID or --idfa ID")
        }
        if let app = asked.app {
            people += asked.users.map { ForgottenPerson(app: app, user: $0.id, isIDFA: $0.isIDFA) }
        }
        guard !people.isEmpty else {
            throw .usage(what: "forget", why: "expected an INSTALL, or --app ID with --idfv ID or --idfa ID")
        }
        return forgetInstalls(people, in: try OpenStore.open(given.arguments[0], for: .changes))
    }
}

private struct AskedForget {
    var app: [UInt8]?
    var users: [(id: [UInt8], isIDFA: Bool)] = []
}
