/// Rules, "Apply response": the parameters of a request that come from an engine's options or a call's device. If an
/// endpoint refuses one, the message says what to set.
package enum RejectedParameter: CaseIterable {
    case sdkKey, bundleID, appVersion, osVersion, vendorID, advertiserID

    private var item: DocumentKey {
        switch self {
        case .sdkKey: "a"
        case .bundleID: "i"
        case .appVersion: "app_v"
        case .osVersion: "v"
        case .vendorID: "idfv"
        case .advertiserID: "idfa"
        }
    }

    /// The name of the option, or of the device's member, that sets the parameter in skan.h.
    package var option: StaticString {
        switch self {
        case .sdkKey: "sdk_key"
        case .bundleID: "bundle_id"
        case .appVersion: "app_version"
        case .osVersion: "os_version"
        case .vendorID: "idfv"
        case .advertiserID: "idfa"
        }
    }

    private var isOfDevice: Bool {
        switch self {
        case .sdkKey, .bundleID, .appVersion: false
        case .osVersion, .vendorID, .advertiserID: true
        }
    }

    /// Nil if the reason names none of these parameters.
    package init?(reason: [UInt8]) {
        for parameter in RejectedParameter.allCases where reason == invalidParameter(parameter.item).utf8 {
            self = parameter
            return
        }
        return nil
    }

    /// The endpoint's reason, followed by the option that sets the parameter. `option`: the option's name in the host's
    /// language.
    package func message(_ option: Message) -> Message {
        let reason = invalidParameter(item)
        return isOfDevice ? "\(reason): the device's \(option) sets it" : "\(reason): the option \(option) sets it"
    }
}

/// Rules, "Endpoint reasons": the reason in the words of the published endpoint.
package func invalidParameter(_ item: DocumentKey) -> Message {
    "Conversion Management: Invalid parameter \(item) given"
}
