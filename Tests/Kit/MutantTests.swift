import SKANCore
import Testing

@testable import SKANStoreLaws

extension Mutant {
    static let all =
        ofRecords + ofVersions + ofConflicts + ofKeys + ofHandles + ofThreads + ofLoadMany + ofSaveMany
        + ofParallelBatches + ofLists + ofPrefixes + ofSequences
}

func settings(_ change: (inout LawSettings) -> Void = { _ in }) -> LawSettings {
    var settings = LawSettings()
    (settings.isDurable, settings.isShared) = (true, true)
    (settings.rounds, settings.steps, settings.seed) = (60, 1500, 1)
    change(&settings)
    return settings
}

/// Each law finds the stores that break it, and nothing in those that are right.
@Suite(.serialized)
struct MutantTests {
    @Test(arguments: Mutant.all)
    func theLawFindsIt(mutant: Mutant) throws {
        let number = try #require(Law.all.firstIndex { "\($0.name)" == mutant.law }, "there is no such law")
        let run = LawRun(settings(), MutantRun(mutant))
        defer { run.end() }
        let outcome = run.prove(Law.all[number], number: number + 1)
        guard case .failure(.broken(let reason)) = outcome else {
            Issue.record("\"\(mutant.law)\" does not find it")
            return
        }
        #expect(!reason.utf8.isEmpty)
    }

    @Test
    func everyLawHasItsMutant() {
        let broken = Set(Mutant.all.map(\.law))
        for law in Law.all { #expect(broken.contains("\(law.name)")) }
    }
}
