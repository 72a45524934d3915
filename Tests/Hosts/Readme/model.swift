// README's engine in Swift with a model, in a folder that has the model's file.
import Foundation
import SKAN
import SKANSQLite

// README: imports

// README: code
try await engine.register("player-1")
try await engine.updateRevenue("player-1", amount: 4.99, currency: "USD", eventID: "order-1")
let update = try await engine.updateConversionValues("player-1", "purchase").update
precondition(update?.fineValue == 16, "\(String(describing: update))")
