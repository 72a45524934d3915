internal import SKANCommandOutput
internal import SKANCommandReport
internal import SKANCommandStores
internal import SKANCore
internal import SKANSystem

extension Subcommand {
    static let report = Subcommand(
        "report", arguments: "STORE [--json|--csv|--html] [--campaigns FILE] [--model FILE]... [--installs STORE]",
        summary: "what postbacks tell of ads: installs, revenue, costs",
        help: """
            Counts the postbacks that a receiver keeps in a store: installs, redownloads and
            re-engagements of window 0, apart from each other; windows 1 and 2 tell more of the
            same installs and add none; postbacks that another network won, apart; refused
            ones and those of development keys only as numbers. A re-engagement is no install:
            values, revenue and dates of re-engagements are told apart, in no figure of installs,
            and costs are compared with installs and redownloads alone. Exit code 1, also with
            a report, where a record could not be read. Times are UTC.
              --json, --csv, --html  in place of a table; the page needs no network. Amounts in
                                JSON are exact decimals as text
              --campaigns FILE  names and costs, in CSV; columns network, identifier and, as you
                                like, campaign, ad_set, cost, currency, network_name. An identifier is a source
                                identifier, or "campaign-id N" before SKAN 4. "39", "239" and
                                "5239" are one campaign, by their last two digits; an ad set is
                                the longest end that FILE has. Costs are those of the time that
                                the report is about; those in other currencies than the models'
                                are converted by the rates of the last --model that has them
            \(givenModelsHelp)\
              --installs STORE  the app's own installs: what those of each campaign brought to day
                                2, 7 and 35 and to date is estimated from what own installs with
                                the same value brought, with 95 % intervals; needs models
              --from TIME, --to TIME  when postbacks arrived: a day, the last one with all of it,
                                or a moment, the last one not included
              --network ID, --app ID  of one ad network, of one app of the App Store
              --by LEVEL        how deep the table goes: total, network, campaign, ad-set
              --at TIME         what the report says of when it was made
            Without models there is no revenue. Figures have one name everywhere: revenue_min,
            revenue_max and revenue_estimate are the sums of these columns of skan postbacks, in
            CSV by that name, in JSON as "revenue": {"min", "max", "estimate"}; of re-engagements
            they stand apart. "min" is revenue that values tell, at least; "estimate" takes the
            middle of each range, the lower end where there is no upper one and for fine 0 in
            window 0, which registering alone gives too. "extrapolated" takes the mean of these
            for hidden values and those that cannot be decoded, too.
            With --installs the first figure is the estimated revenue to date with its 95 %
            interval: in the table's head and on the page, "estimated_revenue_to_date" in JSON,
            the columns brought_to_date, brought_to_date_low and brought_to_date_high in CSV.
            Before, CSV had revenue_at_least and revenue_at_most, now revenue_min and revenue_max;
            revenue_estimate, now revenue_extrapolated; return_on_ad_spend_at_least and
            _estimate, now _min and _extrapolated. JSON's members were renamed in the same way.
            Installs beside postbacks are left alone, which is said; a store that has nothing
            else gives no report, and exit code 1.

            \(storeHelp)
            """,
        options: [
            .flag("json"), .flag("csv"), .flag("html"), .value("campaigns"), .value("installs"),
            .value("network"), .value("app"), .value("from"), .value("to"), .value("by"), .value("at"),
        ] + GivenModels.options
    ) { line throws(CommandEnd) in
        var asked = AskedReport()
        while let option = try line.nextOption() { try asked.take(option, of: line) }
        let store = try line.arguments(1)[0]
        try asked.readFiles()
        try asked.openInstalls()
        let (report, code) = try asked.request.read(try OpenStore.open(store, for: .reads))
        report.show(as: asked.form, asked.deepest)
        return code
    }
}
