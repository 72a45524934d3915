// The article "Getting started" in Swift: money, outcomes and errors.
import Foundation
import SKAN
// README: imports

func run(_ engine: Engine) async throws {
    // README: code
}

let model = try ConversionModel(json: Data(contentsOf: URL(filePath: "model.json")))
let engine = try Engine(models: [model])
try await engine.register("install-1")
try await run(engine)
let details = try await engine.details("account-7")
precondition(details.iapRevenue["USD"] == Amount("9.98") && details.adRevenue["USD"] == Amount("0.0125"), details.json)
// README's model gives 16 for 4.99 dollars.
precondition(details.fineValue ?? 0 > 16, details.json)
try await engine.rename("account-7", to: "install-1")
try await run(engine)
let repeated = try await engine.details("install-1")
precondition(repeated.iapRevenue["USD"] == Amount("9.98"), repeated.json)
