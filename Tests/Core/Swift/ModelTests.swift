import Foundation
import SKAN
import Testing

/// What is Swift's own of conversion models.
struct ModelTests {
    private func ready(_ name: String) throws -> ConversionModel {
        let folder = testsFolder.deletingLastPathComponent().appending(path: "Sources/SKANModels")
        return try ConversionModel(json: Data(contentsOf: folder.appending(path: name)))
    }

    @Test func modelsTakeThePlaceOfTheEndpoint() async throws {
        let model = try ready("mixed.json")
        let engine = try Engine(models: [model])
        await expect(throwing: .misuse) { _ = try await engine.conversionRequest("a") }
        await expect(throwing: .misuse) { _ = try await engine.applyResponse("a", body: Array("{}".utf8)) }
        await expect(throwing: .invalidArgument) { _ = try Engine(models: [model]) { _ in [] } }
        await expect(throwing: .invalidArgument) { _ = try Engine(models: [try ready("skan3_revenue.json")]) }
        let skan3 = Configuration(protocolVersion: .skan3)
        await expect(throwing: .invalidArgument) { _ = try Engine(skan3, models: [model]) }
        await expect(throwing: .misuse) { _ = try await Engine(.asking).explanation("a") }
        await expect(throwing: .invalidArgument) {
            _ = try Engine(models: Array(repeating: model, count: 1025))
        }
    }

    @Test func endpointsAndModelsDoNotShareAnInstall() async throws {
        let store = HostStore()
        let withModel = try Engine(store: store, models: [try ready("mixed.json")])
        let withEndpoint = try Engine(.asking, store: store) { _ in Array(#"{"conversion_value":1}"#.utf8) }
        try await withModel.register("modelled")
        try await withEndpoint.register("asked")
        // Nor is the event id remembered.
        for _ in 0..<2 {
            await expect(throwing: .modelUnknown) {
                _ = try await withEndpoint.updateConversionValues("modelled", Event(eventID: "id"))
            }
            await expect(throwing: .modelUnknown) {
                _ = try await withModel.updateConversionValues("asked", Event(eventID: "id"))
            }
        }
        await expect(throwing: .modelUnknown) { _ = try await withEndpoint.conversionRequest("modelled") }
        await expect(throwing: .modelUnknown) {
            _ = try await withEndpoint.applyResponse("modelled", body: Array(#"{"conversion_value":1}"#.utf8))
        }
        await expect(throwing: .modelUnknown) { _ = try await withModel.explanation("asked") }
        // All else does not need the model.
        #expect(try await withEndpoint.updateRevenue("modelled", amount: 1, currency: "USD") == .ok)
        let waiting = try #require(try await withEndpoint.waitingCall("modelled"))
        #expect(try await withModel.waitingCall("asked") != nil)
        #expect(try await withEndpoint.updateConversionValues("asked", Event(eventID: "id")).outcome == .ok)
        try await withEndpoint.acknowledgeCalls("modelled", [(waiting.id, .delivered)])
        #expect(try await withModel.updateConversionValues("modelled", Event(eventID: "id")).outcome != .duplicateEvent)
        try await withEndpoint.forget("modelled")
    }

    @Test func aValueThatIsNoneIsRefused() async throws {
        let model = try ready("mixed.json")
        for (window, fine) in [(-1, 0), (3, 0), (0, -1), (0, 64), (0, Int.max), (0, Int.min), (Int.min, 0)] {
            await expect(throwing: .invalidArgument) { _ = try model.decode(window: window, fine: fine) }
        }
        await expect(throwing: .invalidArgument) { _ = try model.decode(window: 0) }
        for number in [-1, -2, 64, Int.min, Int.max] {
            let error = await failure { _ = try model.decode(window: 0, fine: number) }
            #expect(error?.message == "fine: expected 0 to 63, got \(number)")
        }
        #expect(try model.decode(window: 1, fine: 3) == nil)
        #expect(try model.decode(window: 1, coarse: .low) != nil)
    }

    @Test func modelsOfOneDocumentAreEqual() throws {
        let model = try ready("mixed.json")
        #expect(try model == ready("mixed.json"))
        #expect(try model != ready("retention.json"))
        #expect(model.version.count == 64)
        #expect(model.description == "conversion model mixed-1, version \(model.version)")
        #expect(model.protocolVersion == .skan4)
    }
}
