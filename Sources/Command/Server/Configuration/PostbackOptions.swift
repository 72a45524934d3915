package import SKANCommandOutbox
package import SKANCommandRows
import SKANPostbackReceiving
package import SKANSystem

package struct PostbackOptions {
    /// The URL of the store for postbacks; nil if the server receives none.
    package var store: CText?
    /// The App Store ids of the apps whose postbacks are counted; empty if none were given.
    package var apps: [Int64] = []
    /// Whether postbacks of any app are counted.
    package var takesAnyApp = false
    /// The ad networks whose postbacks are counted; empty for any.
    package var adNetworks: [[UInt8]] = []
    package var outbox = OutboxSettings()
    /// The names of campaigns for the rows that partners receive.
    package var campaigns = Campaigns.none
    /// The maximum number of bytes kept of each sort of refused postbacks.
    package var refusedBytes = RefusedBudget.bytesByDefault
    /// The number of days to keep refused postbacks.
    package var refusedDays: Int64 = 30

    package init() {}
}
