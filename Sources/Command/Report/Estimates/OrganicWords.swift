import SKANCommandRows
import SKANCore
import SKANTruth

extension OrganicInstalls {
    /// The sentence for the page; nil if there is no estimate.
    func sentence(_ currency: Message) -> Message? {
        guard let installs, let organic = answers?[Horizon.toDate.rawValue].figure?.longText(.amount),
            let store = storeAnswers[Horizon.toDate.rawValue].figure?.longEstimate(.amount)
        else { return nil }
        return """
            Of the \(storeInstalls.readable) own installs that are old enough to have reported, \(installs.readable) \
            are organic: postbacks report \(reported.readable) installs and redownloads. To date the organic ones \
            brought \(organic) of \(store) \(currency).
            """
    }
}
