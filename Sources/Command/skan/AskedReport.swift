internal import CSKANSystem
internal import SKANCommandModels
internal import SKANCommandOutput
internal import SKANCommandReport
internal import SKANCommandStores
internal import SKANCore
internal import SKANSystem

/// What the command line of a report asks for.
struct AskedReport {
    private(set) var request = ReportRequest(madeAt: Int64(time(nil)))
    private(set) var form = ReportForm.table
    private(set) var deepest = ReportLevel.campaign
    private var campaigns: CText?
    private var models = GivenModels()
    private var installs: CText?

    mutating func take(_ option: GivenOption, of line: GivenLine) throws(CommandEnd) {
        if models.take(option) { return }
        if option.is("json") {
            try take(.json)
        } else if option.is("csv") {
            try take(.csv)
        } else if option.is("html") {
            try take(.html)
        } else if option.is("campaigns") {
            campaigns = option.value
        } else if option.is("installs") {
            installs = option.value
        } else if option.is("network") {
            request.filter.network = option.value.message.utf8
        } else if option.is("app") {
            request.filter.app = try line.number(option.name, option.value, 0...Int64.max)
        } else if option.is("from") {
            request.filter.from = try moment(option)
        } else if option.is("to") {
            request.filter.to = try moment(option, isEnd: true)
        } else if option.is("by") {
            deepest = try level(option)
        } else {
            request.madeAt = try moment(option)
        }
    }

    private mutating func take(_ form: ReportForm) throws(CommandEnd) {
        guard self.form == .table || self.form == form else {
            throw .usage(what: "report", why: "expected one of --json, --csv and --html")
        }
        self.form = form
    }

    /// Opens the store of installs.
    mutating func openInstalls() throws(CommandEnd) {
        guard let installs else { return }
        guard !models.isEmpty else {
            throw .usage(what: "report", why: "expected --model FILE beside --installs, for its rates")
        }
        request.installs = try OpenStore.open(installs, for: .reads)
    }

    /// Reads the files of campaigns and models.
    mutating func readFiles() throws(CommandEnd) {
        if let campaigns { request.campaigns = try Campaigns.read(campaigns) }
        try models.read(into: &request.models) { models, model, path throws(CommandEnd) in
            guard models.add(model) else {
                throw .complaint(
                    path.message,
                    """
                    expected \(letters(models.currency)), the currency of the models before, got \
                    \(letters(model.currency))
                    """)
            }
        }
        if let campaigns { try request.campaigns.convertCosts(request.models, name: campaigns.message) }
    }
}

/// A day, or a moment, in Unix seconds; `isEnd`: a day is meant with its last second.
func moment(_ option: GivenOption, isEnd: Bool = false) throws(CommandEnd) -> Int64 {
    let text = option.value.message.utf8
    let isDay = text.count == 10
    let whole = isDay ? text + [UInt8](StaticString("T00:00:00Z").bytes) : text
    guard text.count <= 40, let seconds = historyTime(whole) else {
        throw .usage(
            what: option.name,
            why: """
                expected a day as 2026-01-31 or a moment as 2026-01-31T10:00:00Z, got "\(option.value.message)"
                """)
    }
    return isDay && isEnd ? seconds + 86_400 : seconds
}

private func level(_ option: GivenOption) throws(CommandEnd) -> ReportLevel {
    let levels: [(StaticString, ReportLevel)] = [
        ("total", .total), ("network", .network), ("campaign", .campaign), ("ad-set", .adSet),
    ]
    let text = option.value.message.utf8
    guard let found = levels.first(where: { text.elementsEqual($0.0.bytes) }) else {
        throw .usage(
            what: option.name,
            why: "expected total, network, campaign or ad-set, got \"\(option.value.message)\"")
    }
    return found.1
}

private func letters(_ currency: Currency?) -> Message { currency.map { Message(writing: $0.write) } ?? "" }
