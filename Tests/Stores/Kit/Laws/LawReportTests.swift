import SKANCore
import Testing

@testable import SKANStoreLaws

struct LawReportTests {
    @Test
    func linesAreOfTheTestAnythingProtocol() {
        var settings = LawSettings()
        settings.seed = 7
        nonisolated(unsafe) var lines: [String] = []
        var report = LawReport(settings) { lines.append(String(decoding: $0.utf8, as: UTF8.self)) }
        let law = Law("a law") { _, _ throws(LawEnd) in }
        report.add(1, law, .success(()))
        report.add(2, law, .failure(.broken("one line\nand another")))
        report.add(3, law, .failure(.notApplicable("the store has none")))
        report.end()
        #expect(report.failed == 1)
        #expect(
            lines == [
                "1..95", "# seed 7", "ok 1 - a law", "not ok 2 - a law", "#   one line", "#   and another",
                "ok 3 - a law # SKIP not applicable: the store has none", "# 1 not applicable", "1 passed, 1 failed",
            ])
    }

    @Test
    func namesOfLawsAreTheirOwn() {
        let names = Law.all.map { "\($0.name)" }
        #expect(names.count == 95)
        #expect(Set(names).count == names.count)
    }
}
