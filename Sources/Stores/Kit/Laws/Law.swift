internal import SKANCore

/// One law of stores: its name, which does not change between versions, and its proof.
package struct Law: Sendable {
    typealias Proof = @Sendable (_ run: LawRun, _ store: Handle) throws(LawEnd) -> Void

    package let name: StaticString
    let prove: Proof

    init(_ name: StaticString, _ prove: @escaping Proof) {
        self.name = name
        self.prove = prove
    }

    /// Creates a law about optional calls. The law does not apply to a store without these calls. The handle that
    /// `prove` gets makes these calls to load and save.
    init(_ name: StaticString, of offered: OptionalCalls, _ prove: @escaping Proof) {
        self.init(name) { run, store throws(LawEnd) in
            guard store.store.offers.isSuperset(of: offered) else {
                throw .notApplicable("the store has no \(offered.names)")
            }
            try prove(run, store.by(offered))
        }
    }

    package static let all: [Law] =
        [allHooks] + ofRecords + ofVersions + ofConflicts + ofKeys + ofHandles + ofThreads + ofLoadMany + ofSaveMany
        + ofParallelBatches + ofLists + ofPrefixes + ofSequences

    /// The run's own handle is already open, because no law runs without it. For a shared store, this law opens one
    /// more handle for each thread.
    private static let allHooks = Law("open gives a handle with every hook") { run, _ throws(LawEnd) in
        if run.settings.isShared { _ = try run.handles() }
    }

    /// Tries every law, even after one has failed.
    package static func proveAll(
        _ settings: LawSettings, _ opener: any StoreUnderTestOpener,
        report: (_ number: Int, _ law: Law, _ outcome: LawOutcome) -> Void
    ) {
        let run = LawRun(settings, opener)
        for (index, law) in all.enumerated() { report(index + 1, law, run.prove(law, number: index + 1)) }
        run.end()
    }
}

extension LawRun {
    func prove(_ law: Law, number: Int) -> LawOutcome {
        begin(number: number)
        defer { clear() }
        return Result { () throws(LawEnd) in try law.prove(self, handle()) }
    }
}

extension OptionalCalls {
    fileprivate var names: Message {
        switch self {
        case .loadMany: "load_many"
        case .saveMany: "save_many"
        case .list: "list"
        case .listWithPrefix: "list_with_prefix"
        default: "load_many and save_many"
        }
    }
}
