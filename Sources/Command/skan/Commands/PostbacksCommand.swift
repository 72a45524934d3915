import SKANCommandModels
import SKANCommandOutput
import SKANCommandRows
import SKANCommandStores
import SKANCore
import SKANSystem

extension Subcommand {
    static let postbacks = Subcommand(
        "postbacks", ["STORE"],
        summary: "prints a row for each counted postback, for a warehouse",
        """
        Prints every counted postback as one flat row, a line of JSON, in the order of the store's listing. A \
        postback's row is the same every time, apart from what the options add. The exit code is 1, also with rows, if \
        a record could not be read. share/skan/postbacks.sql is a table for the rows in PostgreSQL and DuckDB.
        """,
        [
            .models,
            HelpSection(
                title: "Columns",
                text: """
                    Columns keep their names, types and order; new ones come at the end. What is not known is null in \
                    JSON and empty in CSV; in CSV a ' stands before text that a spreadsheet would take for a formula.
                      id text           names the postback, 64 hexadecimal digits; unique
                      received time     when it arrived, 2026-01-31T10:00:00Z, as all times
                      sender text       the ad network that passed it on; null: Apple's device
                                        sent it

                    As Apple sent it; signed, apart from the last four:
                      framework text    SKAdNetwork or AdAttributionKit
                      version text      of SKAdNetwork
                      ad_network_id text, campaign_id integer, source_identifier text,
                      app_id integer, transaction_id text, source_app_id integer,
                      source_domain text, fidelity_type integer, redownload boolean,
                      did_win boolean, postback_sequence_index integer (0 if absent),
                      conversion_type text (download, redownload, re-engagement, or a
                      word that is not known here)
                      conversion_value integer, coarse_conversion_value text (low, medium
                      or high), country_code text, ad_interaction_type text

                    What libskan adds:
                      network_name text, campaign_name text, ad_set_name text
                                        from --campaigns
                      conversion text   what it counts as: install, redownload,
                                        re-engagement, or unknown_type
                      won boolean       false if another network won
                      decoding text     decoded, hidden, undecodable, ambiguous, no_model,
                                        illegal (the value has no meaning) or none: by
                                        --model, or as it was stored
                      model text        the version of the model that applies
                      events text       events that happened, by --model, with commas
                      revenue text      of those that won: known, hidden, or why it is not
                                        known: illegal, unknown_type, not_decoded,
                                        undecodable, ambiguous_model,
                                        before_first_model, model_not_given,
                                        model_without_revenue or revenue_since_install
                      revenue_min decimal, revenue_max decimal, revenue_estimate decimal,
                      currency text     by --model; revenue_max is null without an upper
                                        limit. skan report has their sums by these names.
                                        Decimals are text in JSON, with at most 12 places
                      installed_from time, installed_until time,
                      installed_until_if_locked time
                      reengaged_from time, reengaged_until time,
                      reengaged_until_if_locked time
                                        estimates for the install, or for the tap on the ad;
                                        the last one holds if the app locked the window
                      revenue_kind text         all, iap or ad: what the amounts are of
                      respelled boolean true if it was written otherwise than Apple writes it,
                                        and the signature proved how it is meant
                      illegal text      Apple's names of unsigned fields whose value has no
                                        meaning, with blanks between them
                      unknown_type text the conversion or impression type that this version
                                        of skan does not know
                    """),
            .stores,
        ],
        values: AskedRows(),
        options: OptionGroup(
            .flag("csv", { $1(&$0.rows.isCSV) }, "Prints CSV (RFC 4180) with a first row of names; see Columns."),
            .value("since", "TIME", "Prints postbacks that arrived from this day or moment on.") {
                values, given throws(CommandEnd) in values.rows.since = try given.moment()
            },
            .value("until", "TIME", "Prints postbacks that arrived until the end of this day, or before this moment.") {
                values, given throws(CommandEnd) in values.rows.until = try given.moment(isEnd: true)
            },
            .number("app", "ID", 0...Int64.max, { $1(&$0.rows.app) }, "Prints postbacks of this app alone."),
            .value("campaigns", "FILE", "Names of networks and campaigns, as for skan report.") {
                values, given throws(CommandEnd) in values.rows.sources.campaigns = try Campaigns.read(given.text)
            }),
        .models, .reading
    ) { given throws(CommandEnd) in
        var rows = given.values.rows
        try given.values.models.read(into: &rows.sources.models, of: rows.app) { models, model, apps, _ in
            models.addForRows(model, of: apps)
        }
        return try rows.print(try OpenStore.open(given.arguments[0], for: .reads, jobs: given.values.jobs))
    }
}

private struct AskedRows: TakesModels, TakesJobs {
    var jobs = 1
    var rows = PostbackRows()
    var models = GivenModels()
}
