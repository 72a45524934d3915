import SKANCommandOutput
import SKANCommandReport
import SKANCommandStores
import SKANCore
import SKANSystem

extension Subcommand {
    static let report = Subcommand(
        "report", ["STORE"],
        summary: "reports what postbacks show about ads: installs, revenue, costs",
        """
        Counts the postbacks that a receiver has stored. Installs, redownloads and re-engagements of window 0 are \
        counted separately; windows 1 and 2 carry more about the same installs and add none. Postbacks that another \
        network won are counted separately; of refused ones and those of development keys, the report gives only \
        the number. A re-engagement is not an install: its values, revenue and dates are in no figure of installs, and \
        costs are compared with installs and redownloads alone. Times are UTC. The exit code is 1, also with a report, \
        if a record could not be read.

        When an install was made is estimated from its postback's arrival: 72 to 96 hours before for window 0, 192 to \
        312 for window 1, 864 to 984 for window 2, and longer if the app locked the window. The same holds for the tap \
        that led to a re-engagement.
        """,
        [
            .models,
            HelpSection(
                title: "Campaigns",
                text: """
                    The file of --campaigns is CSV (RFC 4180) with a first row of names: network and identifier, and \
                    optionally campaign, ad_set, cost, currency, network_name, date and app. An identifier is a source \
                    identifier of two to four digits, or "campaign-id N" before SKAN 4. "39", "239" and "5239" are one \
                    campaign, since Apple reveals the last two digits first; a postback belongs to the ad set with the \
                    longest matching end. Campaigns that no counted postback belongs to are named at the end.

                    A campaign costs what its rows cost together. A row with a date is the cost of that day (UTC), \
                    and return on ad spend is then also reported by week of install. Such a cost counts as far as the \
                    postbacks of the day's installs arrive in the time of the report, which is three to five days \
                    after the day began; the report says how much it leaves out. A cost without a date counts in full, \
                    so the file has to be about the time of the report. Cost per install and return on ad spend are of \
                    the installs and redownloads of campaigns that have a cost. Costs in other currencies than the \
                    models' are converted by the rates of the last --model that has them, and the report says so; a \
                    cost without a rate is an error.

                    A row with an app, by its id in the App Store, is of this app alone. Without it, a cost is in the \
                    figures of all apps and in those of none; with --app it counts as if it were of that app, and \
                    the report says how much that is.
                    """),
            HelpSection(
                title: "Several apps",
                text: """
                    If postbacks of several apps are counted, the report has the figures of each app alone below those \
                    of all: JSON has them as "apps"; CSV has a row of the level "app" for each, and its column app is \
                    the last one. They equal those with --app, apart from costs without an app. Estimates from own \
                    installs are of all apps together, or with --app of one.
                    """),
            HelpSection(
                title: "Revenue",
                text: """
                    Without models there is no revenue. A value stands for a range of revenue. revenue_min, \
                    revenue_max and revenue_estimate are the sums of these columns of skan postbacks; CSV has them by \
                    that name, JSON as "revenue": {"min", "max", "estimate"}, with separate sums for re-engagements. \
                    "min" is the least that the values mean. "estimate" takes the middle of each range, or the lower \
                    end if the range has no upper one, and for fine value 0 in window 0, which registering alone gives \
                    too. "extrapolated" also takes, for hidden and undecodable values, the mean of the known ones of \
                    the same line and window.
                    """),
            HelpSection(
                title: "Estimates from own installs",
                text: """
                    With --installs the report estimates what the installs of each campaign brought until day 2, 7 and \
                    35 and to date, from what own installs with the same value brought, with 95 % intervals. The first \
                    figure is then the estimated revenue to date with its interval: in the table's head and on the \
                    page, "estimated_revenue_to_date" in JSON, and the columns of the same name, with _low and \
                    _high behind it, in CSV. Estimates include redownloads. Organic installs stand beside the \
                    campaigns; together they are the store's installs that are old enough to have reported. With \
                    --network, --from or --to nothing is called organic. A line that rests on too few own installs has \
                    no number; the report says about how many \
                    more it would take. Own installs that cannot be read are named and left out, and the exit code is \
                    1; those of models that were not given are counted separately. Sources/Truth/CampaignTruth.md \
                    describes the method.

                    Beside each interval stands a wider one, for the case that Apple hides certain values more often \
                    than others. The report warns, with a number, where the data show that an assumption does not \
                    hold. It compares campaigns by their revenue until the target's day, or until day 35: it names the \
                    campaigns that each one beats with a probability of 80 % or more, or says about how many installs \
                    a decision would take.
                    """),
            HelpSection(
                title: "Opens",
                text: """
                    With --opens the report counts the taps on ads that the app reported to libskan, by the reference \
                    that it gave each. They began between --from and --to; --network and --app do not apply. An \
                    install keeps six of them at most. Where a reference is a campaign's or an ad set's identifier, \
                    its name, or NETWORK/IDENTIFIER, the re-engagements that Apple reported of it stand beside. \
                    Apple leaves out some of them and sends the others days later, so they are fewer. JSON has them \
                    as "opens"; CSV has lines of campaigns alone, so there is no --opens with --csv.
                    """),
            .stores,
        ],
        values: AskedReport(),
        options: OptionGroup(
            "Form",
            .flag("json", "Prints JSON. Amounts are exact decimals, as text.") { values, _ throws(CommandEnd) in
                try values.take(.json)
            },
            .flag("csv", "Prints CSV.") { values, _ throws(CommandEnd) in try values.take(.csv) },
            .flag("html", "Prints one page with charts, which needs no network.") { values, _ throws(CommandEnd) in
                try values.take(.html)
            },
            .choice(
                "by",
                [
                    ("total", .total), ("network", .network), ("campaign", .campaign), ("ad-set", .adSet),
                    ("country", .country), ("source-app", .sourceApp),
                ],
                { $1(&$0.depth) },
                "How deep the table goes; in every form, lines of countries or source apps in place of campaigns."),
            .value(
                "at", "TIME", "The time at which the report is made, which ages of installs and costs by day go by.",
                byDefault: "now"
            ) {
                values, given throws(CommandEnd) in values.request.madeAt = try given.moment()
            }),
        OptionGroup(
            "Postbacks",
            .value("from", "TIME", "Counts postbacks that arrived from this day or moment on.") {
                values, given throws(CommandEnd) in values.request.filter.from = try given.moment()
            },
            .value("to", "TIME", "Counts postbacks that arrived until the end of this day, or before this moment.") {
                values, given throws(CommandEnd) in values.request.filter.to = try given.moment(isEnd: true)
            },
            .value("network", "ID", "Counts postbacks of this ad network alone.") {
                $0.request.filter.network = $1.utf8
            },
            .number(
                "app", "ID", 0...Int64.max, { $1(&$0.request.filter.app) },
                "Counts postbacks of this app of the App Store alone, and costs and models of it.")),
        .models,
        OptionGroup(
            "Beside postbacks",
            .value("campaigns", "FILE", "Names and costs of campaigns, in CSV; see Campaigns.") {
                $0.campaigns = $1.text
            },
            .value("installs", "STORE", "The app's own installs, which may be in the same store; needs models.") {
                $0.installs = $1.text
            },
            .value(
                "opens", "STORE",
                "Own installs, whose opens of ads the report counts by reference beside re-engagements."
            ) { $0.opens = $1.text },
            .value(
                "target", "120%@D35",
                "A return on ad spend until day 2, 7, 35, 60, 90 or 180: how likely it is reached."
            ) {
                values, given throws(CommandEnd) in
                guard let target = ReturnTarget(given.utf8) else {
                    throw given.refused(expected: "a return on ad spend until day 2, 7, 35, 60, 90 or 180 as 120%@D35")
                }
                values.request.target = target
            }),
        .reading
    ) { given throws(CommandEnd) in
        var asked = given.values
        try asked.readFiles()
        try asked.openInstalls()
        let store = try OpenStore.open(given.arguments[0], for: .reads, jobs: asked.jobs)
        let (report, code) = try asked.request.read(store)
        report.show(as: asked.form, asked.depth.deepest)
        return code
    }
}
