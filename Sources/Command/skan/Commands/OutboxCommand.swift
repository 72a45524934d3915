import SKANCommandOutbox
import SKANCommandOutput
import SKANCommandStores
import SKANCore
import SKANSystem

extension Subcommand {
    static let outbox = Subcommand(
        "outbox", ["STORE"],
        summary: "lists postbacks that partners have not received yet",
        """
        Prints a JSON line for each counted postback that a partner has not taken yet: the id, network and partner; \
        the state; how often it was tried; when it was made and when it is due, in Unix seconds; why the last attempt \
        failed. The state is prepared (sent once its postback is counted), waiting (tried before, or being tried) or \
        dead (tried as often as skan serve was told to). After --retry, a running skan serve calls those that are dead \
        once it has searched the store (see its --partner-search), another one when it is started.
        """,
        [.networks, .partnerURL, .stores], values: false,
        options: OptionGroup(.flag("retry", { $1(&$0) }, "Lists nothing, and has what is dead tried again."))
    ) { given throws(CommandEnd) in
        let store = try OpenStore.open(given.arguments[0], for: given.values ? .removes : .reads)
        var review = OutboxReview(store, retries: given.values)
        return review.review()
    }
}
