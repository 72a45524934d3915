/// A failed delivery is repeated up to nine times in nine days. Here a repetition comes a day after the try before.
package enum Delivery {
    /// The time at which a postback arrives, Unix seconds; nil: never. `failing`: the share of tries that fail.
    package static func arrival(of sent: Int64, failing: Double, _ chance: inout Chance) -> Int64? {
        (0...9).first { _ in !chance.isDrawn(failing) }.map { sent + Int64($0) * 86_400 }
    }
}
