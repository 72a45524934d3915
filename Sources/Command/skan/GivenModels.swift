internal import SKANCommandModels
internal import SKANCommandOutput
internal import SKANCommandReport
internal import SKANCore
internal import SKANSystem

/// Takes a model that was read from a file.
typealias ModelTaking = (inout RevenueModels, ConversionModel, CText) throws(CommandEnd) -> Void

/// The conversion models that a command line gives to decode postbacks with.
struct GivenModels {
    private var installs: [(from: Int64?, file: CText)] = []
    private var reengagements: [(from: Int64?, file: CText)] = []

    static var options: [CommandOption] { [.value("model"), .value("reengagement-model")] }

    var isEmpty: Bool { installs.isEmpty && reengagements.isEmpty }

    /// False: the option is none of models.
    mutating func take(_ option: GivenOption) -> Bool {
        guard option.is("model") || option.is("reengagement-model") else { return false }
        let (from, file) = option.modelFile()
        let given = (from, CText(file))
        if option.is("model") { installs.append(given) } else { reengagements.append(given) }
        return true
    }

    /// Reads the files, each of which `add` takes.
    func read(into models: inout RevenueModels, _ add: ModelTaking) throws(CommandEnd) {
        try read(installs, "--model", ofReengagements: false, into: &models, add)
        try read(reengagements, "--reengagement-model", ofReengagements: true, into: &models, add)
    }

    /// One without a moment was always in use. Of several it is not known when each was: then they decode only what was
    /// stored with its model.
    private func read(
        _ given: [(from: Int64?, file: CText)], _ option: StaticString, ofReengagements: Bool,
        into models: inout RevenueModels, _ add: ModelTaking
    ) throws(CommandEnd) {
        var dated = DatedModels()
        let hasMoments = given.contains { $0.from != nil }
        for (from, file) in given {
            try add(&models, try dated.add(file, from: from ?? DatedModels.always), file)
        }
        if hasMoments {
            do throws(Failure) { try dated.sort("model") } catch {
                throw .usage(
                    what: "\(option)", why: "expected at most one model without FROM, and others each from its own time"
                )
            }
        }
        let isOne = dated.list.allSatisfy { $0.model.version == dated.list.first?.model.version }
        models.decode(
            with: hasMoments ? dated.list : isOne ? [(from: Int64, model: ConversionModel)](dated.list.prefix(1)) : [],
            ofReengagements: ofReengagements, decidesAll: hasMoments)
    }
}

/// The help on these options.
var givenModelsHelp: Message {
    """
      --model FILE      the conversion model of installs, if there was never another
      --model FROM=FILE the model of new installs from this time on, a day, a moment as
                        2026-01-31T10:00:00Z, or Unix seconds; again for each change. One may
                        be without FROM: it was in use before the others
      --reengagement-model FILE, --reengagement-model FROM=FILE
                        the same of re-engagements, which have models of their own
                        A postback keeps the model that it was stored with, which then has to
                        be given too; FILE decodes those that were stored undecoded. Where
                        a model has FROM, the models given decide for every postback. Several
                        models without FROM decode only what was stored with one of them

    """
}
