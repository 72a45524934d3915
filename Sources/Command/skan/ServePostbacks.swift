internal import SKANCommandModels
internal import SKANCommandOutbox
internal import SKANCommandOutput
internal import SKANCommandReport
internal import SKANCommandServer
internal import SKANCore
internal import SKANPostbackReceiving
internal import SKANSystem

/// What skan serve is told of postbacks.
var servePostbacksOptions: [CommandOption] {
    [
        .value("postbacks"), .value("app-id"), .flag("any-app"), .value("ad-network"), .value("networks"),
        .value("postback-model"), .value("reengagement-model"),
        .value("postback-keys"), .value("refused-per-hour"), .value("refused-bytes-per-hour"),
        .value("refused-in-all"), .value("refused-bytes-in-all"), .value("refused-days"), .value("campaigns"),
        .value("partner-attempts"), .value("partner-pause"), .value("partner-longest-pause"),
        .value("partner-timeout"), .value("partner-search"),
    ]
}

extension PostbackOptions {
    /// False: the option is none of postbacks.
    mutating func take(
        _ option: GivenOption, of line: GivenLine, _ sources: inout [ConfigurationSource]
    ) throws(CommandEnd) -> Bool {
        if option.is("postbacks") {
            store = option.value
        } else if option.is("app-id") {
            if apps.count == PostbackScope.most { throw option.tooMany }
            apps.append(try line.number(option.name, option.value, 1...Int64.max))
        } else if option.is("any-app") {
            takesAnyApp = true
        } else if option.is("ad-network") {
            if adNetworks.count == PostbackScope.most { throw option.tooMany }
            adNetworks.append(try adNetwork(option))
        } else if option.is("networks") {
            sources.removeAll { $0.isNetworks }
            sources.append(option.source(.networks, option.value.message.utf8))
        } else if option.is("postback-model") {
            let (from, file) = try option.datedModel()
            sources.append(option.source(.installModel(from: from), file))
        } else if option.is("reengagement-model") {
            let (from, file) = try option.datedModel()
            sources.append(option.source(.reengagementModel(from: from), file))
        } else if option.is("campaigns") {
            campaigns = try Campaigns.read(option.value)
        } else if option.is("postback-keys") {
            sources.removeAll { $0.isPostbackKeys }
            sources.append(option.source(.postbackKeys, option.value.message.utf8))
        } else {
            if try outbox.take(option, of: line) { return true }
            return try takeRefused(option, of: line)
        }
        return true
    }

    /// How much is kept of what is not counted.
    private mutating func takeRefused(_ option: GivenOption, of line: GivenLine) throws(CommandEnd) -> Bool {
        func most() throws(CommandEnd) -> UInt64 {
            UInt64(try line.number(option.name, option.value, 0...1_000_000_000_000))
        }
        if option.is("refused-per-hour") {
            refused.perHour = try most()
        } else if option.is("refused-bytes-per-hour") {
            refused.bytesPerHour = try most()
        } else if option.is("refused-in-all") {
            refused.inAll = try most()
        } else if option.is("refused-bytes-in-all") {
            refused.bytesInAll = try most()
        } else if option.is("refused-days") {
            refusedDays = try line.number(option.name, option.value, 0...36_500)
        } else {
            return false
        }
        return true
    }

    /// What the options say together.
    func check() throws(CommandEnd) {
        if store != nil { return try checkApps("--postbacks") }
        let lonely: Message? =
            !apps.isEmpty ? "--app-id" : takesAnyApp ? "--any-app" : adNetworks.isEmpty ? nil : "--ad-network"
        if let lonely { throw .usage(what: lonely, why: "expected --postbacks beside it") }
    }

    /// Whose postbacks are counted has to be said. `what`: where it was not.
    func checkApps(_ what: Message) throws(CommandEnd) {
        let isNamed = !apps.isEmpty
        if isNamed != takesAnyApp { return }
        let got: StaticString = isNamed ? "both" : "neither"
        throw .usage(
            what: what,
            why: "expected --app-id, the App Store's id of each app whose postbacks count, or --any-app; got \(got)")
    }

    private func adNetwork(_ option: GivenOption) throws(CommandEnd) -> [UInt8] {
        let name = option.value.message.utf8
        guard 1...PostbackRecord.networkBytes ~= name.count else {
            throw .usage(what: option.name, why: "expected 1 to \(PostbackRecord.networkBytes) bytes")
        }
        return name
    }
}

extension OutboxSettings {
    /// False: the option is none of partners.
    fileprivate mutating func take(_ option: GivenOption, of line: GivenLine) throws(CommandEnd) -> Bool {
        if option.is("partner-attempts") {
            attempts = try line.number(option.name, option.value, 1...1000)
        } else if option.is("partner-pause") {
            pause = try line.number(option.name, option.value, 1...86_400_000)
        } else if option.is("partner-longest-pause") {
            longestPause = try line.number(option.name, option.value, 1...604_800_000)
        } else if option.is("partner-timeout") {
            timeout = try line.number(option.name, option.value, 1...600_000)
        } else if option.is("partner-search") {
            search = try line.number(option.name, option.value, 1...86_400)
        } else {
            return false
        }
        return true
    }
}

extension GivenOption {
    fileprivate var tooMany: CommandEnd { .usage(what: name, why: "expected at most \(PostbackScope.most)") }
}

var servePostbacksHelp: Message {
    """
      --postbacks STORE     takes postbacks, by POST: Apple's at its two paths, /.well-
                            known/skadnetwork/report-attribution/ and .../
                            appattribution/report-attribution/, and those that networks
                            pass on at /postbacks/NETWORK, with Authorization:
                            Bearer TOKEN, or ?token=TOKEN, which logs of proxies show
      --app-id ID           counts postbacks of this app of the App Store; again for each;
                            what is another's is kept apart, and no partner is told of it
      --any-app             counts those of any app: whoever has an ad network and an app
                            can have Apple sign theirs. --postbacks needs this or --app-id
      --ad-network ID       counts those of this ad network, as "example.skadnetwork"; again
                            for each; without it any one's
      --networks NETWORKS   a file: who may pass postbacks on, and whom to tell of them
      --postback-model FROM=FILE
                            the model of installs from this time on, 2026-01-31T10:00:00Z
                            or Unix seconds; give every one there was. Without it --model
                            decodes postbacks too, if it is the only one for every app (of
                            SKAN 4, where there are some of SKAN 3 as well); else they are
                            kept undecoded, which the start and --check say, and skan
                            report --model and skan postbacks --model decode them
      --reengagement-model FROM=FILE
                            the same of re-engagements (AdAttributionKit), which count from
                            the tap on the ad; without one they are counted, not decoded
      --postback-keys FILE  {"keys": [{"name", "spki", "development"}]}: for tests, and
                            for keys of Apple's that are newer than libskan-postback
      --campaigns FILE      names of networks and campaigns, as for skan postbacks, for
                            partners that are told by POST
      --refused-per-hour N  what is not counted is kept apart in four sorts: malformed, with
                            a signature that does not fit, of a version or key that is not
                            known, and the rest, which only Apple can sign. Of each sort so
                            many in an hour; default 10000. Of the first two sorts the
                            first 2048 bytes are kept; of the third one client, or one
                            version or key, has a sixteenth, and half is for clients that
                            have had fewer than four kept on the day. These budgets are a
                            server's: two servers on one store keep twice as much
      --refused-bytes-per-hour N
                            the same by bytes, with 5120 for what stands beside each, not
                            less than SQLite takes; default 67108864
      --refused-in-all N    of each sort in the store; default 50000
      --refused-bytes-in-all N
                            the same by bytes; default 268435456
      --refused-days DAYS   older ones are removed, within an hour; default 30
      --partner-attempts N  how often a partner is called for a postback; default 20
      --partner-pause MS    after the first call that fails, then doubled; default 10000
      --partner-longest-pause MS
                            default 21600000, six hours
      --partner-timeout MS  of a call; default 10000
      --partner-search SEC  how often the store is searched for what other processes left
                            untold; default 300

    A postback is answered 200 once the store holds it, also one that is a copy, or not
    valid, which is kept apart: it need not come again. 400: no body. 403: the network or
    its token is not known. 413: more than any postback has. 429: not counted, and
    more of its sort came than are kept. 503: the store failed, send it again.
    A partner answers 200 to what it has taken; anything else is tried again.
    """
}
