internal import SKANCommandModels
internal import SKANCommandOutput
internal import SKANCommandReport
internal import SKANCommandStores
internal import SKANCore
internal import SKANSystem

extension Subcommand {
    static let postbacks = Subcommand(
        "postbacks", arguments: "STORE [--csv] [--since TIME] [--until TIME] [OPTION]...",
        summary: "a row for each counted postback, for a warehouse",
        help: """
            Prints every counted postback as one flat row, a line of JSON, in the order of the
            store's listing; a postback's row is the same every time, but for what the options
            add. Exit code 1, also with rows, where a record could not be read.
              --csv             comma-separated values (RFC 4180) with a first row of names; text
                                that a spreadsheet would take for a formula begins with '
              --since TIME, --until TIME  when postbacks arrived: a day, the last one with all of
                                it, or a moment, the last one not included. Times are UTC
            \(givenModelsHelp)\
              --campaigns FILE  names, as for skan report; network_name may be a column too

            Columns keep their names, types and order; new ones come at the end. Where there is
            nothing to tell a cell is null in JSON, and empty in CSV.
              id text           what names the postback, 64 hexadecimal digits; its only row's
              received time     when it arrived, 2026-01-31T10:00:00Z, as all times
              sender text       the ad network that passed it on; none: Apple's device sent it
            As Apple tells it; signed, but for the last four:
              framework text    SKAdNetwork or AdAttributionKit
              version text      of SKAdNetwork
              ad_network_id text, campaign_id integer, source_identifier text,
              app_id integer, transaction_id text, source_app_id integer,
              source_domain text, fidelity_type integer, redownload boolean,
              did_win boolean, postback_sequence_index integer (0 where there is none),
              conversion_type text (download, redownload or re-engagement)
              conversion_value integer, coarse_conversion_value text (low, medium or high),
              country_code text, ad_interaction_type text
            What is known beside that:
              network_name text, campaign_name text, ad_set_name text  of --campaigns
              conversion text   what it counts as: install, redownload or re-engagement
              won boolean       false where another network won
              decoding text     decoded, hidden, undecodable, ambiguous, no_model or none:
                                by --model, or as it was stored
              model text        the version of the model that applies
              events text       that happened, by --model; names with commas between them
              revenue text      of those that won: known, hidden, or why it is not known:
                                not_decoded, undecodable, ambiguous_model,
                                before_first_model, model_not_given,
                                model_without_revenue or revenue_since_install
              revenue_min decimal, revenue_max decimal, revenue_estimate decimal,
              currency text     by --model; no revenue_max where there is no upper limit.
                                Their sums are what skan report has by these names.
                                Decimals are text in JSON, with at most 12 places
              installed_from time, installed_until time, installed_until_if_locked time
              reengaged_from time, reengaged_until time, reengaged_until_if_locked time
                                estimated, of the install or of the tap on the ad; until the
                                latter where the app locked the window

            \(storeHelp)
            """,
        options: [
            .flag("csv"), .value("since"), .value("until"), .value("campaigns"),
        ] + GivenModels.options
    ) { line throws(CommandEnd) in
        var rows = PostbackRows()
        var models = GivenModels()
        while let option = try line.nextOption() {
            if models.take(option) {
                continue
            } else if option.is("csv") {
                rows.isCSV = true
            } else if option.is("since") {
                rows.since = try moment(option)
            } else if option.is("until") {
                rows.until = try moment(option, isEnd: true)
            } else {
                rows.sources.campaigns = try Campaigns.read(option.value)
            }
        }
        let store = try line.arguments(1)[0]
        try models.read(into: &rows.sources.models) { models, model, _ in models.addForRows(model) }
        return try rows.print(try OpenStore.open(store, for: .reads))
    }
}
