import SKANCore
import Testing

/// Rules, "Model measures": what a model's measures ask for, and what a record may have of them. Vectors judge what is
/// counted. These tests alone judge records with numbers that no measure comes to, an event that need not be saved, the
/// limit of 64 names where the same ones stand in several places, and what a model knows of its rules so that it can
/// leave out work that none of them needs.
struct MeasuredModelTests {
    private static func model(measures: String, when: String) throws -> ConversionModel {
        let rules = #"{"rules":[{"fine":1,"when":\#(when)}]},{"rules":[]},{"rules":[]}"#
        let rates = #""rates":{"EUR":"0.5","AUD":"2"}"#
        let document = #"{"schema":1,"id":"m",\#(rates),"measures":\#(measures),"windows":[\#(rules)]}"#
        return try document.withBytes { try ConversionModel.read(json: $0) }
    }

    /// "taken", or the status where an install is refused whose record has this number for a measure.
    private static func taken(_ value: Int128, asMeasure number: Int = 0, of model: ConversionModel) throws -> String {
        var state = InstallState(.skan4)
        var registration = Registration(now: 0, model: model)
        _ = try registration.run(on: &state)
        var kept = InstallModel(model.version, hasMeasures: true)
        kept.set(measure: number, MeasureValue(number: value))
        state.conversion.model = kept
        let result = "a".withBytes { event in
            var decision = ModelDecision(models: [model], event: event, now: 5)
            return outcome { () throws(Failure) in try decision.run(on: &state) }
        }
        return result.failedStatus ?? "taken"
    }

    @Test func aRecordHasNoMoreMeasuresThanItsModel() throws {
        let model = try MeasuredModelTests.model(measures: #"{"n":{"count":["a"]}}"#, when: "{}")
        let status = try (0..<2).map { try MeasuredModelTests.taken(3, asMeasure: $0, of: model) }
        #expect(status == ["taken", "SKAN_ERROR_CORRUPT_RECORD"])
    }

    /// A count is from 0 to 2³² - 1, and a sum within ±10²⁴, in units of 10⁻¹². Above the 32 bits of a number of days
    /// stands the last one of them, so there is no last day where the number is 0.
    @Test func aRecordHasOnlyNumbersThatItsMeasuresCanComeTo() throws {
        let (most, limit) = (Int128(UInt32.max), Money.scale * Money.scale * Money.scale)
        let measures: [(counting: String, right: [Int128], wrong: [Int128])] = [
            ("count", [0, 3, most], [-1, most + 1]),
            ("sum", [-limit, 0, limit], [-limit - 1, limit + 1]),
            ("days", [0, 1, most << 32 | 1], [-1, 1 << 32, 1 << 64 | 1]),
        ]
        for (counting, right, wrong) in measures {
            let model = try MeasuredModelTests.model(measures: #"{"n":{"\#(counting)":["a"]}}"#, when: "{}")
            for value in right {
                #expect(try MeasuredModelTests.taken(value, of: model) == "taken", "\(counting) \(value)")
            }
            for value in wrong {
                let status = try MeasuredModelTests.taken(value, of: model)
                #expect(status == "SKAN_ERROR_CORRUPT_RECORD", "\(counting) \(value)")
            }
        }
    }

    /// No model can name it, so nothing has to be stored.
    @Test func anEventWithANameThatIsTooLongChangesNothing() throws {
        let model = try MeasuredModelTests.model(measures: #"{"n":{"count":["*"]}}"#, when: #"{"sessions":{"min":1}}"#)
        var install = try ModelledInstall(model)
        #expect(install.sees(String(repeating: "e", count: 65), at: 1) == "SKAN_NO_NEW_VALUE")
        #expect(!install.isChanged)
        #expect(install.sees("e", at: 2) == "SKAN_NO_NEW_VALUE")
        #expect(install.isChanged)
    }

    @Test func aMeasureAsksForAmountsOrNot() throws {
        let measures = #"""
            {"a":{"count":["e"]},"b":{"sum":["e"]},"c":{"count":["e"],"kind":"ad"},"d":{"days":["e"],"amount":{"min":1}},
            "f":{"days":["e"],"kind":"all"}}
            """#
        let model = try MeasuredModelTests.model(measures: measures, when: "{}")
        #expect(model.measures.list.map { $0.asksAmount } == [false, true, true, true, false])
    }

    @Test func eachEventIsOneOfSixtyFourOnlyOnce() throws {
        let names = (0..<64).map { #""e\#($0)""# }.joined(separator: ",")
        let events = (0..<64).map { #"{"name":"e\#($0)","min_count":0}"# }.joined(separator: ",")
        let measures = #"{"a":{"count":[\#(names)]},"b":{"sum":["__SESSION__","*","e1"]}}"#
        let model = try MeasuredModelTests.model(measures: measures, when: #"{"events":[\#(events)]}"#)
        #expect(model.events.count == 64)
        #expect(model.measures.list.count == 2)
        #expect(throws: Failure.self) {
            try MeasuredModelTests.model(measures: measures, when: #"{"events":[{"name":"another"}]}"#)
        }
    }

    @Test func aWindowAsksForRevenueOrNot() throws {
        let (without, with) = (#"{"sessions":{"min":1}}"#, #"{"revenue":{"min":1}}"#)
        #expect(try !MeasuredModelTests.model(measures: "{}", when: without).windows[0].asksRevenue)
        #expect(try MeasuredModelTests.model(measures: "{}", when: with).windows[0].asksRevenue)
    }

    @Test func aConditionMayAskForNothing() throws {
        for (when, isEverything) in [
            (#"{"sessions":{}}"#, true), (#"{"sessions":{"min":1}}"#, false), (#"{"sessions":{"max":9}}"#, false),
            (#"{"events":[{"name":"e","min_count":0}]}"#, true), (#"{"revenue":{}}"#, false),
            (#"{"day":{"min":0}}"#, true), (#"{"hours":{"min":0,"max":9}}"#, false),
        ] {
            let model = try MeasuredModelTests.model(measures: "{}", when: when)
            #expect(model.windows[0].list.conditions.map { $0.isEverything } == [isEverything], "\(when)")
        }
    }
}
