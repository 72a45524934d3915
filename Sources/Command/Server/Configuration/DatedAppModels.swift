import SKANCommandModels
import SKANCommandOutput
import SKANCommandRows
import SKANCore
import SKANPostbackReceiving
import SKANSystem

/// Rules, "Models of apps": the models that decode postbacks when they are received, by app and by the time from which
/// each was in use.
struct DatedAppModels {
    /// The group whose app is nil is for all apps without models of their own.
    private var groups: [(app: Int64?, models: DatedModels)] = []
    /// All models, each with the apps that the user gave for it.
    private(set) var given: [(model: ConversionModel, apps: ModelApps)] = []
    /// The first option that gave a model without naming apps; nil if there is none.
    private(set) var unsaid: Message?

    var isEmpty: Bool { given.isEmpty }

    /// `option`: the option as the user wrote it, for error messages.
    mutating func add(_ model: ConversionModel, of apps: ModelApps, from moment: Int64, _ option: Message) {
        given.append((model, apps))
        if apps.isUnsaid, unsaid == nil { unsaid = option }
        for app in apps.each {
            let place = groups.firstIndex { $0.app == app } ?? groups.count
            if place == groups.count { groups.append((app, DatedModels())) }
            groups[place].models.add(model, from: moment)
        }
    }

    /// Reads a model from a file and adds it.
    mutating func read(
        _ file: CText, of apps: ModelApps, from moment: Int64, _ option: Message
    ) throws(CommandEnd) -> ConversionModel {
        for app in apps.each { try groups.first { $0.app == app }?.models.checkRoom(file) }
        let model = try ModelFile.read(file, forServer: true).model
        add(model, of: apps, from: moment, option)
        return model
    }

    /// Throws if two models of an app are in use from the same time. `name`: the name for a model in error messages.
    func byApp(_ name: StaticString) throws(Failure) -> ModelsByApp<ConversionModel> {
        var others = PostbackModels<ConversionModel>([])
        var own: [(app: Int64, models: PostbackModels<ConversionModel>)] = []
        for (app, models) in groups {
            var models = models
            try models.sort(name)
            if let app { own.append((app, PostbackModels(models.list))) } else { others = PostbackModels(models.list) }
        }
        return ModelsByApp(others, own: own)
    }

    /// Throws if a model was given without naming apps, and several of `apps` have no model of their own.
    func check(_ apps: [Int64]) throws(CommandEnd) {
        let without = apps.filter { app in !groups.contains { $0.app == app } }
        guard let unsaid, without.count > 1 else { return }
        throw .usage(what: unsaid, why: twoApps(without[0], without[1], appForms))
    }
}

/// The forms of options that say which app a model belongs to.
var appForms: StaticString { "--postback-model APP:FROM=FILE or --model APP=FILE" }
