package import SKANCommandRows
import SKANCore
import SKANPostbackReceiving

package struct RefusedFilter {
    /// Empty for all.
    package var reasons: [RefusedReason] = []
    /// The App Store id of the app; nil for all.
    package var app: Int64?
    /// nil for all.
    package var network: [UInt8]?
    /// The range of arrival times in Unix seconds; `until` is excluded. nil = no limit.
    package var since, until: Int64?

    package init() {}

    func takes(_ refused: RefusedPostback) -> Bool {
        let received = refused.record.received / 1_000_000
        guard reasons.isEmpty || reasons.contains(refused.reason) else { return false }
        guard received >= since ?? .min, received < until ?? .max else { return false }
        guard app == nil || refused.postback.namedApp == app else { return false }
        return network == nil || refused.postback.namedAdNetwork == network
    }
}
