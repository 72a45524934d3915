import SKANCore
import Testing

@testable import SKANStoreLaws

/// What laws say of stores that break none.
struct RightStoreTests {
    /// Each in its way.
    static let stores = [
        Mutant("the right one") { _ in },
        Mutant("versions at random") {
            $0.save = Mutant.versioned { records, _ in
                var drawing = Drawing(seed: records.newestVersion &* 0x9E37_79B9_7F4A_7C15)  // none comes twice
                return max(drawing.next(), 1)
            }
        },
        // What is written where the answer is not OK means nothing.
        Mutant("noise in what means nothing") {
            $0.load = { store, call in
                let loaded = store.right.load(call.key)
                return loaded.status == .ok ? loaded : Loaded(loaded.status, version: 42, Array("noise".utf8))
            }
        },
    ]

    private func expectAllPassed(_ settings: LawSettings, _ run: MutantRun) {
        for (law, outcome) in outcomes(settings, run) where outcome != "passed" { Issue.record("\(law): \(outcome)") }
        #expect(run.openHandles == 0)
    }

    @Test(arguments: stores)
    func everyLawPasses(store: Mutant) {
        let run = MutantRun(store)
        expectAllPassed(settings(), run)
        #expect(run.right.locked { $0.keys.isEmpty })
    }

    @Test(arguments: [
        settings { ($0.prefix, $0.threads, $0.rounds, $0.steps, $0.seed) = ([], 2, 50, 1000, 7) },
        settings { ($0.prefix, $0.threads) = ([UInt8](repeating: 0x70, count: 64), 8) },
        settings { ($0.prefix, $0.rounds, $0.steps, $0.seed) = (Array("a%_'\\{".utf8), 1, 1, .max) },
    ])
    func otherSettingsFindNothingEither(settings: LawSettings) {
        expectAllPassed(settings, MutantRun(RightStoreTests.stores[0]))
    }

    /// What needs a claim is not applicable without it; all else is tried, on one handle.
    @Test
    func aStoreWithoutClaimsPasses() {
        let needingClaims: Set = [
            "two handles see each other's writes",
            "a version that is stale through another handle conflicts",
            "no version comes twice for a key through two handles",
            "closing a handle leaves the others at work",
            "reopening keeps records and their versions",
            "no version comes twice for a key across reopening",
            "parallel writers on a handle each lose nothing",
            "load_many and save_many of two handles see each other",
            "reopening keeps what save_many saved",
            "parallel batches on a handle each lose nothing",
            "a listing goes on through another handle",
            "generated sequences on two handles are as the model says",
            "generated sequences with reopening are as the model says",
        ]
        var store = RightStoreTests.stores[0]
        store.mostHandles = 1
        store.reopened = { _ in Issue.record("it is reopened") }
        let outcomes = outcomes(settings { ($0.isDurable, $0.isShared) = (false, false) }, MutantRun(store))
        for (law, outcome) in outcomes {
            #expect(outcome.hasPrefix("not applicable") == needingClaims.contains(law), "\(law): \(outcome)")
            #expect(!outcome.hasPrefix("failed"), "\(law): \(outcome)")
        }
    }

    @Test
    func aStoreWithoutOptionalCallsPasses() throws {
        var store = RightStoreTests.stores[0]
        store.offers = []
        let outcomes = outcomes(settings(), MutantRun(store))
        let laws = outcomes.map(\.law)
        let first = try #require(laws.firstIndex(of: "load_many answers as load does, for 1 to 1024 keys"))
        let end = try #require(laws.firstIndex(of: "generated sequences on one handle are as the model says"))
        for (index, (law, outcome)) in outcomes.enumerated() {
            let isOptional = first..<end ~= index
            #expect(isOptional ? outcome.hasPrefix("not applicable: the store has no ") : outcome == "passed", "\(law)")
        }
    }

    /// A record of its own that an earlier run left behind is removed.
    @Test
    func recordsOfOtherKeysAreLeftAlone() {
        let others = ["mine", "Mine/", "mine%", "min", "yours/key", "key"].map { Array($0.utf8) }
        let run = MutantRun(RightStoreTests.stores[0])
        run.right.locked { records in
            for other in others { records.put(other, Array("a record".utf8)) }
            records.put(Array("mine/law-2/missing".utf8), Array("left behind".utf8))
        }
        expectAllPassed(settings { $0.prefix = Array("mine/".utf8) }, run)
        run.right.locked { records in
            #expect(Set(records.keys) == Set(others))
            #expect(others.map { records.version(of: $0) } == Array(1...6))
        }
    }
}

/// A sequence that fails is told with its seed, and with no more operations than the failure needs.
struct ToldSequenceTests {
    private func told(_ flaw: String, _ offers: OptionalCalls) throws -> String {
        var mutant = try #require(Mutant.all.first { $0.flaw == flaw })
        mutant.offers = offers
        let alone = settings { ($0.isDurable, $0.isShared, $0.seed) = (false, false, 12345) }
        let law = "generated sequences on one handle are as the model says"
        return try #require(outcomes(alone, MutantRun(mutant)).first { $0.law == law }).outcome
    }

    @Test
    func aSequenceIsMadeShort() throws {
        let lines = try told("a stale save is applied", []).split(separator: "\n")
        #expect(lines[0].hasPrefix("failed: seed 12345, operation "))
        #expect(lines[1].hasPrefix("made shorter: save of "))
        #expect(lines[2] == "at the end of these operations, on keys without records:")
        #expect(lines.count { $0.hasPrefix("save key ") } == 3)
        #expect(lines.last?.hasSuffix(", expecting an old version") == true)
    }

    @Test
    func keysOfManyAreLeftOut() throws {
        let offers: OptionalCalls = [.loadMany, .saveMany]
        let lines = try told("save_many saves all or nothing", offers).split(separator: "\n")
        #expect(lines[1].hasPrefix("made shorter: save_many, item "))
        let many = try #require(lines.first { $0.hasPrefix("save_many key ") })
        #expect(many.count { $0 == ";" } == 1, "not two keys are left: \(many)")
    }
}

/// What became of each law, in words.
private func outcomes(_ settings: LawSettings, _ run: MutantRun) -> [(law: String, outcome: String)] {
    func text(_ message: Message) -> String { String(decoding: message.utf8, as: UTF8.self) }
    var outcomes: [(String, String)] = []
    Law.proveAll(settings, run) { _, law, outcome in
        switch outcome {
        case .success: outcomes.append(("\(law.name)", "passed"))
        case .failure(.broken(let reason)): outcomes.append(("\(law.name)", "failed: \(text(reason))"))
        case .failure(.notApplicable(let why)): outcomes.append(("\(law.name)", "not applicable: \(text(why))"))
        }
    }
    return outcomes
}
