import SKANCommandModels
import SKANCommandOutbox
import SKANCommandOutput
import SKANCommandReceive
import SKANCommandRows
import SKANCommandServer
import SKANCore
import SKANPostbackReceiving
import SKANSystem

/// The options of a command that receives postbacks.
protocol TakesPostbacks: SendableMetatype {
    var postbacks: PostbackOptions { get set }
    var sources: [ConfigurationSource] { get set }
}

extension OptionGroup where Values: TakesPostbacks {
    static var received: OptionGroup {
        OptionGroup(
            "Which postbacks count, and how they are decoded",
            .value("app-id", "ID", "Counts postbacks for this app, by its id in the App Store.", isRepeatable: true) {
                values, given throws(CommandEnd) in
                try given.checkRoom(values.postbacks.apps.count)
                values.postbacks.apps.append(try given.number(1...Int64.max))
            },
            .flag(
                "any-app", { $1(&$0.postbacks.takesAnyApp) },
                "Counts postbacks for any app: anybody with an ad network and an app can have Apple sign theirs."),
            .value(
                "ad-network", "ID", "Counts postbacks of this ad network, as \"example.skadnetwork\"; else of any.",
                isRepeatable: true
            ) { values, given throws(CommandEnd) in try values.postbacks.addNetwork(given) },
            .datedModel(
                "postback-model", "The model of installs, of this app, from this time on."
            ) { .installModel($0, from: $1) },
            .datedModel(
                "reengagement-model", "The same for re-engagements (AdAttributionKit)."
            ) { .reengagementModel($0, from: $1) },
            .value(
                "postback-keys", "FILE",
                "Keys beside Apple's, for tests or newer ones: {\"keys\": [{\"name\", \"spki\", \"development\"}]}."
            ) {
                $0.sources.removeAll { $0.isPostbackKeys }
                $0.sources.append($1.source(.postbackKeys))
            })
    }

    static var refused: OptionGroup {
        OptionGroup(
            "Refused postbacks",
            .number(
                "refused-bytes-in-all", "BYTES", 0...1_000_000_000_000, { $1(&$0.postbacks.refusedBytes) },
                "Bytes that the store keeps of each sort. Each postback counts 5120 more than its body."))
    }
}

/// The options for postbacks that only skan serve has.
extension OptionGroup where Values == Serving {
    static var postbacks: OptionGroup {
        OptionGroup(
            "Postbacks",
            .value("postbacks", "STORE", "Receives postbacks into this store; see How postbacks are answered.") {
                $0.postbacks.store = $1.text
            },
            .value("networks", "NETWORKS", "The networks that may pass postbacks on, and the partners to tell.") {
                $0.sources.removeAll { $0.isNetworks }
                $0.sources.append($1.source(.networks))
            },
            .value("campaigns", "FILE", "Names of networks and campaigns for partners, as for skan postbacks.") {
                values, given throws(CommandEnd) in
                do throws(FileTrouble) { try checkIsRegular(given.text) } catch {
                    throw .complaint(given.message, error.words(limit: 0))
                }
                values.postbacks.campaigns = try Campaigns.read(given.text)
            },
            .number(
                "refused-days", "DAYS", 0...36_500, { $1(&$0.postbacks.refusedDays) },
                "Refused postbacks that are older are removed, within an hour."))
    }

    static var partners: OptionGroup {
        OptionGroup(
            "Partners",
            .number(
                "partner-attempts", "N", 1...1000, { $1(&$0.postbacks.outbox.attempts) },
                "Calls to a partner for one postback, before it is given up."),
            .number(
                "partner-pause", "MS", 1...86_400_000, { $1(&$0.postbacks.outbox.pause) },
                "Milliseconds after the first call that fails; doubled after each further one."),
            .number(
                "partner-longest-pause", "MS", 1...604_800_000, { $1(&$0.postbacks.outbox.longestPause) },
                "The longest pause between two calls."),
            .number(
                "partner-timeout", "MS", 1...600_000, { $1(&$0.postbacks.outbox.timeout) },
                "The longest time that a call may take."),
            .number(
                "partner-search", "SEC", 1...86_400, { $1(&$0.postbacks.outbox.search) },
                "Seconds between two searches of the store for what other processes left unsent."))
    }
}

extension HelpSection {
    static var receivedPostbacks: HelpSection {
        HelpSection(
            title: "How postbacks are answered",
            text: """
                --postbacks takes POST requests: Apple's devices post to \
                /.well-known/skadnetwork/report-attribution/ and /.well-known/appattribution/report-attribution/, \
                networks pass postbacks on to /postbacks/NETWORK, with "Authorization: Bearer TOKEN" or with \
                ?token=TOKEN, which the logs of proxies show. A body may be packed with gzip, and \
                may have up to 1000 postbacks, in an array or one on each line. --max-body limits its size, before \
                and after unpacking.

                  200  The store holds the postback; it need not be sent again. So it is
                       for a copy of one that is stored, and for a refused one.
                  400  The body is empty, or its gzip is damaged.
                  403  The network or its token is not known.
                  413  The body is longer than any postback, or it has more than 1000.
                  415  Its Content-Encoding is not gzip.
                  429  Refused, and more of its sort came than are stored.
                  503  The store failed; send it again.

                The answer to several postbacks is an array with the outcome of each, in their order. Its status is \
                200 only if all have it. Otherwise it is 503 if the store failed, and then the postbacks behind that \
                are "not_tried"; else 429 or 413. If all are sent again, those that are stored are duplicates.

                Refused postbacks are stored separately, in four sorts: malformed; signed wrongly; of a version or key \
                that is not known; and the rest, which only Apple can sign. Of the first two sorts the first 2048 \
                bytes are stored. In the third sort one client, or one version or key, has a sixteenth of the bytes on \
                a day, and half of them are for clients that have had fewer than four stored on the day. What one \
                client has stored each server counts for itself.

                --app-id or --any-app is needed. Postbacks for other apps are stored separately and never counted, and \
                no partner is told of them. The times of --postback-model are 2026-01-31T10:00:00Z or Unix seconds; \
                give every model that there was. Without one, --model decodes postbacks if it is the only one for \
                every app (of SKAN 4, if there are some of SKAN 3 as well); else they are stored undecoded, and skan \
                report --model and skan postbacks --model decode them later. APP is an app's id in the App Store: the \
                model decodes postbacks of this app alone. One without APP is for one app; if it would decode \
                postbacks of two of --app-id, the server does not start, and with --any-app it decodes those of the \
                first app that comes, while others are stored undecoded and the log names them. Say which is meant: \
                990001234:FROM=FILE, several apps with commas, or any:FROM=FILE for every app without a model of its \
                own. Re-engagements count from the tap on the \
                ad; without a model of their own they are counted and not decoded.

                A partner that answers with any status from 200 to 299 has taken the postback; after anything else it \
                is called again. While it asks for a pause by Retry-After it is not called at all, for up to \
                --partner-longest-pause.
                """)
    }
}

extension OptionRow where Values: TakesPostbacks {
    /// Returns an option for models that decode postbacks from a time on. `use`: returns the use of the model's file,
    /// given the apps that the model decodes and the Unix time from which it does.
    fileprivate static func datedModel(
        _ name: StaticString, _ sentence: StaticString,
        _ use: @escaping @Sendable (ModelApps, Int64) -> ConfigurationSource.Use
    ) -> OptionRow {
        .value(name, "[APP:]FROM=FILE", sentence, isRepeatable: true) { values, given throws(CommandEnd) in
            let model = try given.datedModel()
            values.sources.append(given.source(use(model.apps, model.start), model.file))
        }
    }
}

extension PostbackOptions {
    fileprivate mutating func addNetwork(_ given: GivenValue) throws(CommandEnd) {
        try given.checkRoom(adNetworks.count)
        guard 1...PostbackRecord.networkBytes ~= given.utf8.count else {
            throw given.refused("expected 1 to \(PostbackRecord.networkBytes) bytes")
        }
        adNetworks.append(given.utf8)
    }

    /// Checks options that depend on each other.
    func check() throws(CommandEnd) {
        if store != nil { try checkApps("--postbacks") }
    }

    /// Checks that the options say which apps' postbacks count. `what`: the option or argument that the message names.
    func checkApps(_ what: Message) throws(CommandEnd) {
        let isNamed = !apps.isEmpty
        if isNamed != takesAnyApp { return }
        let got: StaticString = isNamed ? "both" : "neither"
        throw .usage(
            what: what,
            why: "expected --app-id, the App Store's id of each app whose postbacks count, or --any-app; got \(got)")
    }
}

extension GivenValue {
    /// Throws an error if the option has already been given as often as allowed. `count`: how often it was given.
    fileprivate func checkRoom(_ count: Int) throws(CommandEnd) {
        if count == PostbackScope.most { throw refused("expected at most \(PostbackScope.most)") }
    }
}
