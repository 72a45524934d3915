import CSKANSystem
import SKANCommandModels
import SKANCommandOutput
import SKANCommandReport
import SKANCommandRows
import SKANCommandStores
import SKANCore
import SKANSystem

/// The options of a report's command line.
struct AskedReport: TakesModels, TakesJobs {
    var request = ReportRequest(madeAt: Int64(time(nil)))
    private(set) var form = ReportForm.table
    var depth = AskedDepth.campaign
    var campaigns: CText?
    var models = GivenModels()
    var installs: CText?
    var opens: CText?
    var jobs = 1

    mutating func take(_ form: ReportForm) throws(CommandEnd) {
        guard self.form == .table || self.form == form else {
            throw .usage(what: "report", why: "expected one of --json, --csv and --html")
        }
        self.form = form
    }

    /// Opens the stores of `--installs` and `--opens`.
    mutating func openInstalls() throws(CommandEnd) {
        if let opens {
            guard form != .csv else {
                throw .usage(what: "report", why: "expected --opens beside a table, --json or --html, not --csv")
            }
            request.opens = try OpenStore.open(opens, for: .reads, jobs: jobs)
        }
        guard let installs else {
            guard request.target == nil else {
                throw .usage(what: "report", why: "expected --installs STORE beside --target, for estimates")
            }
            return
        }
        guard !models.isEmpty else {
            throw .usage(what: "report", why: "expected --model FILE beside --installs, for its rates")
        }
        request.installs = try OpenStore.open(installs, for: .reads, jobs: jobs)
    }

    mutating func readFiles() throws(CommandEnd) {
        request.dimension = depth.dimension
        if let campaigns { request.campaigns = try Campaigns.read(campaigns) }
        if let app = request.filter.app { request.campaigns = request.campaigns.only(app, andShared: true) }
        try models.read(into: &request.models, of: request.filter.app) { models, model, apps, path throws(CommandEnd) in
            guard models.add(model, of: apps) else {
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

/// The deepest level of a report's table, and the dimension of its lines.
enum AskedDepth: Equatable {
    case total, network, campaign, adSet, country, sourceApp

    var deepest: ReportLevel {
        switch self {
        case .total: .total
        case .network: .network
        case .campaign, .country, .sourceApp: .campaign
        case .adSet: .adSet
        }
    }

    var dimension: ReportDimension {
        switch self {
        case .country: .country
        case .sourceApp: .sourceApp
        default: .campaign
        }
    }
}

private func letters(_ currency: Currency?) -> Message { currency.map { Message(writing: $0.write) } ?? "" }
