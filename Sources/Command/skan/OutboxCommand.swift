internal import SKANCommandOutbox
internal import SKANCommandOutput
internal import SKANCommandStores
internal import SKANCore
internal import SKANSystem

extension Subcommand {
    static let outbox = Subcommand(
        "outbox", arguments: "STORE [--retry]",
        summary: "lists what partners have not been told of postbacks",
        help: """
            Prints a JSON line for each counted postback that a partner has not taken yet:
            its id, network and partner; the state, prepared (is told once its postback is
            counted), waiting (tried before, or being tried) or dead (tried as often as
            skan serve was told to); how often it was tried; when it was made and when it is
            due, Unix seconds; why the last attempt failed. Installs beside postbacks are
            left alone, which is said; where a store has nothing else, the exit code is 1.
              --retry  lists nothing: what is dead will be tried again, once a skan serve
                       that runs has searched the store (--partner-search), or is started

            \(networksHelp)\(partnerURLHelp)
            \(storeHelp)
            """,
        options: [.flag("retry")]
    ) { line throws(CommandEnd) in
        var retries = false
        while try line.nextOption() != nil { retries = true }
        let url = try line.arguments(1)[0]
        var review = OutboxReview(try OpenStore.open(url, for: retries ? .removes : .reads), retries: retries)
        return review.review()
    }
}
