import SKANCommandModels
import SKANCommandOutput
import SKANCommandRows
import SKANCore
import SKANSystem

/// Accepts a model that was read from a file.
typealias ModelTaking = (inout RevenueModels, ConversionModel, CText) throws(CommandEnd) -> Void

/// The conversion models given on the command line for decoding postbacks.
struct GivenModels {
    private var installs: [(from: Int64?, file: CText)] = []
    private var reengagements: [(from: Int64?, file: CText)] = []

    var isEmpty: Bool { installs.isEmpty && reengagements.isEmpty }

    fileprivate mutating func add(_ given: GivenValue, ofReengagements: Bool) {
        let (from, file) = given.modelFile
        if ofReengagements { reengagements.append((from, CText(file))) } else { installs.append((from, CText(file))) }
    }

    /// Reads the files, and passes each model to `add`.
    func read(into models: inout RevenueModels, _ add: ModelTaking) throws(CommandEnd) {
        try read(installs, "--model", ofReengagements: false, into: &models, add)
        try read(reengagements, "--reengagement-model", ofReengagements: true, into: &models, add)
    }

    /// A single model without FROM also decodes postbacks that were stored undecoded; several decode only those stored
    /// with them. If any has FROM, the models decide for every postback.
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

/// The options of a command that decodes postbacks with models.
protocol TakesModels: SendableMetatype {
    var models: GivenModels { get set }
}

extension OptionGroup where Values: TakesModels {
    /// The models that decode postbacks.
    static var models: OptionGroup {
        OptionGroup(
            "Models",
            .value("model", "[FROM=]FILE", "The model of installs from the time FROM on.", isRepeatable: true) {
                $0.models.add($1, ofReengagements: false)
            },
            .value(
                "reengagement-model", "[FROM=]FILE", "The same for re-engagements, which have models of their own.",
                isRepeatable: true
            ) { $0.models.add($1, ofReengagements: true) })
    }
}

extension HelpSection {
    /// Explains which model decodes which postback.
    static var models: HelpSection {
        HelpSection(
            title: "How models decode",
            text: """
                FROM is a day, a moment as 2026-01-31T10:00:00Z, or Unix seconds. Give every model that there was; the \
                first may be without FROM. A postback keeps the model that it was stored with; give that model, too. A \
                single model without FROM also decodes what was stored undecoded. If a model has FROM, the models \
                given decide for every postback. Several models without FROM decode only what was stored with one of \
                them.
                """)
    }
}
