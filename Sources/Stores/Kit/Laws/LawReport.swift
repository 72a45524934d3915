package import SKANCore

/// A report of the laws' results, line by line in the Test Anything Protocol.
package struct LawReport {
    private let print: (Message) -> Void
    private var passed = 0
    private var notApplicable = 0
    package private(set) var failed = 0

    /// Creates a report that calls `print` with each line.
    package init(_ settings: LawSettings, print: @escaping (Message) -> Void) {
        self.print = print
        print("1..\(Law.all.count)")
        print("# seed \(settings.seed)")
    }

    package mutating func add(_ number: Int, _ law: Law, _ outcome: LawOutcome) {
        switch outcome {
        case .success:
            passed += 1
            print("ok \(number) - \(law.name)")
        case .failure(.broken(let reason)):
            failed += 1
            print("not ok \(number) - \(law.name)")
            for line in reason.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
                print("#   \(Message(utf8: [UInt8](line)))")
            }
        case .failure(.notApplicable(let why)):
            notApplicable += 1
            print("ok \(number) - \(law.name) # SKIP not applicable: \(why)")
        }
    }

    package func end() {
        if notApplicable > 0 { print("# \(notApplicable) not applicable") }
        print("\(passed) passed, \(failed) failed")
    }
}
