import CSKAN
import SKANCompanionLibrary
import SKANCore
import SKANFace
import SKANPostbackVerification

private var fieldStruct: SizedStruct<skan_postback_fields> { SizedStruct("out", skan_postback_fields()) }

@_cdecl("skan_postback_read")
@implementation
public func skan_postback_read(
    _ postback: OpaquePointer?, _ out: UnsafeMutablePointer<skan_postback_fields>?,
    _ error: ErrorOut
) -> skan_status {
    opening(error) { () throws(Failure) in
        guard let out else { throw null("out") }
        try fieldStruct.clear(out)
        guard let object = PostbackObject.at(postback) else { throw null("postback") }
        fieldStruct.give(object.fields, to: out)
    }
}

extension PostbackObject {
    @_optimize(size)
    fileprivate var fields: skan_postback_fields {
        var fields = skan_postback_fields()
        fields.framework = postback.framework.rawValue
        fields.postback_sequence_index = postback.window
        fields.version = postback.version.flatMap(cText)
        fields.ad_network_id = text(.adNetworkID)
        fields.transaction_id = text(.transactionID)
        fields.source_identifier = text(.sourceIdentifier)
        fields.source_domain = text(.sourceDomain)
        fields.country_code = text(.countryCode)
        fields.ad_interaction_type = text(.interactionType)
        fields.key_id = text(.keyID)
        fields.campaign_id = number(.campaignID)
        fields.app_id = number(.appID)
        fields.source_app_id = number(.sourceAppID)
        fields.fidelity_type = number(.fidelityType)
        fields.did_win = small(.didWin)
        fields.redownload = small(.redownload)
        fields.conversion_value = small(.conversionValue)
        fields.coarse_conversion_value = small(.coarseValue)
        fields.conversion_type = postback.conversion.rawValue
        fields.unknown_type = postback.unknownType.flatMap { cText($0.name) }
        return fields
    }
}
