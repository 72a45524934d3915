import SKANCommandRows
import SKANCore
import SKANTruth

extension OrganicInstalls {
    /// Returns the sentence about organic installs for the page; nil if there is no estimate.
    func sentence(_ currency: Message) -> Message? {
        guard let installs, let organic = answers?[Horizon.toDate.rawValue].figure?.rounded(.amount)?.text,
            let store = storeAnswers[Horizon.toDate.rawValue].figure?.rounded(.amount)?.estimate
        else { return nil }
        return """
            Of the \(storeInstalls.readable) own installs that are old enough to have reported, \(installs.readable) \
            are organic: postbacks report \(reported.readable) installs and redownloads. The organic ones \
            have earned an estimated \(organic) of \(store) \(currency) to date.
            """
    }
}
