import SKANCommandOutput
import SKANCommandStores
import SKANCore
import SKANSystem

/// Rules, "Kept models": what --check reports about users who began with a model that is not in the configuration.
struct OlderModelsCheck {
    private var users = ModelUsers()
    private var isWhole = true

    /// The maximum number of users that are examined.
    private static var most: Int { 1_000_000 }

    /// Counts the store's users with an open window, by model. `now`: Unix seconds.
    init(_ store: OpenStore, now: Int64) throws(CommandEnd) {
        var users = ModelUsers()
        var seen = 0
        isWhole = try UserWalk.walk(store) { _, _, conversion, _ in
            if conversion.window(at: now) != nil { users.add(conversion) }
            seen += 1
            return seen < OlderModelsCheck.most
        }
        self.users = users
    }

    /// Returns a line for each model that users began with and that is not among `served`.
    func lines(_ served: [ServedModel], _ kept: KeptModels) throws(CommandEnd) -> [Message] {
        var lines: [Message] = []
        for (version, count) in users.counts where !served.contains(where: { $0.model.version == version }) {
            let number: Message = "\(isWhole ? "" : "at least " as StaticString)\(count) user\(plural(count))"
            let model: ConversionModel?
            do throws(Failure) { model = try kept.find(version) } catch { throw .complaint("--store", error.message) }
            let short = shortVersion(version)
            if let model {
                let stay: StaticString = count == 1 ? "stays" : "stay"
                lines.append("\(number) \(stay) with the kept model \(Message(utf8: model.id)) (\(short))")
            } else {
                let why: StaticString = "which is not given and was never kept: expected it as one more --model"
                lines.append("\(number) began with the model \(short), \(why)")
            }
        }
        return lines
    }
}
