import SKANCore
import Testing

@testable import SKANCommandModels

@Suite struct DatedModelsTests {
    private func model() throws -> ConversionModel {
        let json = Array(#"{"schema":1,"id":"m","windows":[{"rules":[]},{"rules":[]},{"rules":[]}]}"#.utf8)
        return try json.withUnsafeBytes { try ConversionModel.read(json: $0) }
    }

    @Test func modelsStandInTheOrderOfTheirMoments() throws {
        var models = DatedModels()
        for moment: Int64 in [30, 10, 20] { models.add(try model(), from: moment) }
        try models.sort("model")
        #expect(models.list.map(\.from) == [10, 20, 30])
    }

    @Test func twoModelsOfOneMomentAreRefused() throws {
        var models = DatedModels()
        for moment: Int64 in [20, 10, 20] { models.add(try model(), from: moment) }
        let failure = #expect(throws: Failure.self) { try models.sort("model") }
        #expect(failure?.status == .invalidArgument)
        let words = failure.map { String(decoding: $0.message.utf8, as: UTF8.self) }
        #expect(words == "models[2].from: expected a later moment than in the item before")
    }
}
