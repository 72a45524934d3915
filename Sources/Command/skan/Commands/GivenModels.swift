import SKANCommandModels
import SKANCommandOutput
import SKANCommandRows
import SKANCore
import SKANSystem

/// A function that adds a model for certain apps to the revenue models. The last parameter is the path of its file.
typealias ModelTaking = (inout RevenueModels, ConversionModel, ModelApps, CText) throws(CommandEnd) -> Void

/// The conversion models given on the command line for decoding postbacks.
struct GivenModels {
    private var installs: [GivenModelFile] = []
    private var reengagements: [GivenModelFile] = []

    var isEmpty: Bool { installs.isEmpty && reengagements.isEmpty }

    fileprivate mutating func add(_ given: GivenValue, ofReengagements: Bool) {
        if ofReengagements { reengagements.append(given.modelFile) } else { installs.append(given.modelFile) }
    }

    /// Reads the files, and passes each model to `add`. `app`: the only app whose postbacks will be read, so that
    /// models for other apps are left out; nil for all apps.
    func read(into models: inout RevenueModels, of app: Int64?, _ add: ModelTaking) throws(CommandEnd) {
        for (given, option, ofReengagements) in [
            (installs, "--model", false), (reengagements, "--reengagement-model", true),
        ] as [([GivenModelFile], StaticString, Bool)] {
            var times: [TimesOfApp] = []
            for each in given where app.map({ each.apps.may(decode: $0) }) ?? true {
                let file = CText(each.file)
                let model = try ModelFile.read(file).model
                try add(&models, model, each.apps, file)
                for app in each.apps.each {
                    if !times.contains(where: { $0.app == app }) { times.append(TimesOfApp(app: app)) }
                    for place in times.indices where times[place].app == app {
                        try times[place].add(model, each, file)
                    }
                }
            }
            for each in times { try each.decode(in: &models, option, ofReengagements: ofReengagements) }
        }
    }
}

/// The models given for an app or, if `app` is nil, for all apps without models of their own.
private struct TimesOfApp {
    let app: Int64?
    private var dated = DatedModels()
    private var hasMoments = false

    init(app: Int64?) { self.app = app }

    mutating func add(_ model: ConversionModel, _ given: GivenModelFile, _ file: CText) throws(CommandEnd) {
        try dated.checkRoom(file)
        dated.add(model, from: given.start)
        if given.from != nil { hasMoments = true }
    }

    /// Tells `models` how to decode the app's postbacks. A single model without FROM also decodes postbacks that were
    /// stored undecoded. Several models without FROM decode only postbacks that were stored with one of them. If any
    /// model has FROM, the models decide for every postback of the app.
    func decode(
        in models: inout RevenueModels, _ option: StaticString, ofReengagements: Bool
    ) throws(CommandEnd) {
        var dated = dated
        if hasMoments {
            do throws(Failure) { try dated.sort("model") } catch {
                let whose: Message = app.map { " for app \($0)" } ?? ""
                throw .usage(
                    what: "\(option)",
                    why: "expected at most one model without FROM\(whose), and others each from its own time")
            }
        }
        let isOne = dated.list.allSatisfy { $0.model.version == dated.list.first?.model.version }
        models.decode(
            with: hasMoments ? dated.list : isOne ? [(from: Int64, model: ConversionModel)](dated.list.prefix(1)) : [],
            of: app, ofReengagements: ofReengagements, decidesAll: hasMoments)
    }
}

/// The options of a command that decodes postbacks with models.
protocol TakesModels: SendableMetatype {
    var models: GivenModels { get set }
}

extension OptionGroup where Values: TakesModels {
    static var models: OptionGroup {
        OptionGroup(
            "Models",
            .value(
                "model", "[APP:][FROM=]FILE", "The model of installs, of this app, from the time FROM on; or APP=FILE.",
                isRepeatable: true
            ) { $0.models.add($1, ofReengagements: false) },
            .value(
                "reengagement-model", "[APP:][FROM=]FILE",
                "The same for re-engagements, which have models of their own.",
                isRepeatable: true
            ) { $0.models.add($1, ofReengagements: true) })
    }
}

extension HelpSection {
    static var models: HelpSection {
        HelpSection(
            title: "How models decode",
            text: """
                FROM is a day, a moment as 2026-01-31T10:00:00Z, or Unix seconds. Give every model that there was; the \
                first may be without FROM. A postback keeps the model that it was stored with; give that model, too. A \
                single model without FROM also decodes what was stored undecoded. If a model has FROM, the models \
                given decide for every postback. Several models without FROM decode only what was stored with one of \
                them.

                APP is an app's id in the App Store. A model with APP decodes postbacks of this app alone, and the \
                models of an app do so as if it were the only one; those without APP are for the one other app that \
                there is. It is an error if one would decode postbacks of two apps: say which is meant, as \
                990001234=FILE or 990001234:2026-01-31=FILE, several with commas, or "any" for every app without a \
                model of its own. A number alone is an APP, but Unix seconds if it is 0 or a time from 2018 to 2099; \
                for an app with such an id write APP:0=FILE.
                """)
    }
}
