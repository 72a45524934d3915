import SKANCommandOutput
import SKANCommandReceive
import SKANCommandStores
import SKANCore
import SKANSystem

extension Subcommand {
    static let refused = Subcommand(
        "refused", ["STORE"],
        summary: "lists postbacks that were refused, and why",
        """
        Prints a line for each postback that a receiver refused and stored, in the order of arrival: when it arrived, \
        why it was refused, the app and the ad network that it names, its key in STORE, and what is wrong with it if \
        it is malformed or of an unknown version. The last line is their sum. Nothing is proven about one that is \
        malformed, invalid or unverifiable: anybody can have made it.

        skan receive STORE --refused judges refused postbacks again: after a wrong --app-id, with new keys of Apple's, \
        or by a newer libskan. The exit code is 1 if a record could not be read.
        """,
        [
            HelpSection(
                title: "Reasons",
                text: """
                      malformed      it is not a postback; the line says which field
                      invalid        the signature does not match
                      unverifiable   its version or key is not known
                      development    signed with a development key of AdAttributionKit
                      conflict       another copy, with other values, was counted before
                      other_network  of another ad network than its sender, or --ad-network
                      other_app      of another app than --app-id

                    Of malformed and invalid ones only the first 2048 bytes are stored. One that was longer is marked \
                    as cut, and cannot be judged again.
                    """),
            HelpSection(
                title: "JSON",
                text: """
                    key, received, reason; sender, the ad network that passed it on, null if Apple's device sent it; \
                    framework, version, ad_network_id, app_id and transaction_id as it names them; problem; is_cut; \
                    body, the postback as it arrived. A byte that is not UTF-8 is shown as \\\\xFF.
                    """),
            .stores,
        ],
        values: AskedRefused(),
        options: OptionGroup(
            .flag("json", { $1(&$0.list.isJSON) }, "Prints a line of JSON for each; see JSON."),
            .value("reason", "REASON", "Lists those refused for this reason.", isRepeatable: true) {
                values, given throws(CommandEnd) in values.list.filter.reasons.append(try given.refusedReason())
            },
            .number("app", "ID", 0...Int64.max, { $1(&$0.list.filter.app) }, "Lists postbacks of this app alone."),
            .value("network", "ID", "Lists postbacks of this ad network alone.") { $0.list.filter.network = $1.utf8 },
            .value("since", "TIME", "Lists postbacks that arrived from this day or moment on.") {
                values, given throws(CommandEnd) in values.list.filter.since = try given.moment()
            },
            .value("until", "TIME", "Lists postbacks that arrived until the end of this day, or before this moment.") {
                values, given throws(CommandEnd) in values.list.filter.until = try given.moment(isEnd: true)
            }),
        .reading
    ) { given throws(CommandEnd) in
        try given.values.list.print(try OpenStore.open(given.arguments[0], for: .reads, jobs: given.values.jobs))
    }
}

private struct AskedRefused: TakesJobs {
    var list = RefusedList()
    var jobs = 1
}
