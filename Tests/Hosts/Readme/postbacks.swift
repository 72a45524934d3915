// The receiver of postbacks in Swift, with one of Apple's that arrives.
import Foundation
import SKAN
// README: imports

let model = try ConversionModel(json: Data(contentsOf: URL(filePath: "model.json")))
let body = try Data(contentsOf: URL(filePath: "postback.json"))

// README: code
precondition(receipt.outcome == .counted, "\(receipt)")
