internal import SKANCore
internal import SKANEngine

/// A call for the app to make to Apple.
public struct AppCall: Hashable, Sendable {
    public enum Framework: String, Sendable {
        case skAdNetwork = "SKAdNetwork"
        case adAttributionKit = "AdAttributionKit"
    }

    /// The conversion type in a call to AdAttributionKit.
    public enum ConversionType: String, Sendable {
        case install
        case reengagement = "re-engagement"
    }

    /// The number of the update that the call delivers. Pass it to ``Engine/acknowledgeCalls(_:_:)``.
    public let id: UInt64
    /// The conversion that the call is for: 0 = the install, otherwise the re-engagement's number.
    public let conversion: UInt32
    public let framework: Framework
    /// The conversion type that the call names; nil = a call without a type.
    public let conversionType: ConversionType?
    /// The postback window of the update: 0, 1 or 2.
    public let window: Int
    /// The fine value, 0...63.
    public let fineValue: Int
    public let coarseValue: CoarseValue?
    public let locksWindow: Bool
    /// The time at which the update was decided, Unix seconds.
    public let timestamp: Int64
    /// The time from which the app must no longer make the calls of this list, Unix seconds.
    public let validUntil: Int64
    /// The conversion tag, a secret of the device; nil = a call without a tag.
    public let tag: String?
}

/// The result of an update, as the app reports it. If the update had several calls, it is the worst of their results.
public enum CallResult: Int32, Hashable, Sendable, Codable {
    case failed = 0
    case delivered = 1
    /// Apple's call failed with `AdAttributionKitError.invalidConversionTag`.
    case invalidTag = 2
    /// Apple's call failed with `AdAttributionKitError.conversionTagNotSupported`.
    case tagNotSupported = 3
}

extension Engine {
    /// Returns the calls that the app must make to Apple, in this order. The last updates of the install and of its
    /// re-engagements have calls while their windows are open, until they are acknowledged as delivered. In SKAN 3 all
    /// calls are to SKAdNetwork. If the install has re-engagements, the method can save the install's record. Reads
    /// the clock. Rules, "Calls".
    ///
    /// - Parameters:
    ///   - installID: See ``Engine``.
    ///   - osVersion: The device's iOS version. Calls that this version does not support are left out. nil = unknown;
    ///     all calls are returned.
    /// - Returns: The calls; empty if nothing is pending.
    public nonisolated(nonsending) func pendingCalls(
        _ installID: String, osVersion: String? = nil
    ) async throws -> [AppCall] {
        try await listing(installID, osVersion).calls.map { AppCall($0) }
    }

    /// Returns the calls of ``pendingCalls(_:osVersion:)`` as the JSON that a server sends to its app:
    /// `{"valid_seconds", "calls": [{"id", "conversion", "framework", "conversion_type", "window", "fine_value",
    /// "coarse_value", "lock_window", "tag"}]}`. Reads the clock. Rules, "Calls".
    public nonisolated(nonsending) func pendingCallsJSON(
        _ installID: String, osVersion: String? = nil
    ) async throws -> String {
        let listing = try await listing(installID, osVersion)
        return String(listing.calls.json(now: listing.now))
    }

    private nonisolated(nonsending) func listing(
        _ installID: String, _ osVersion: String?
    ) async throws -> CallListing {
        var texts = CallTexts()
        defer { texts.free() }
        let listing = CallListing(system: try texts.system(osVersion))
        _ = try await perform(installID) { _ in ReengagementCall(listing, isForSKAN3: true) }
        return listing
    }

    /// Records the results that the app reports for a list of calls, in the order of the list, in one save. Give one
    /// result for each id: the worst result of its calls. An id is ignored if it is not that of the last update of the
    /// install or of a re-engagement. Reads the clock. Rules, "Acknowledging calls".
    public nonisolated(nonsending) func acknowledgeCalls(
        _ installID: String, _ results: [(id: UInt64, result: CallResult)]
    ) async throws {
        let acknowledgement = CallAcknowledgement(results.count) { index in
            (results[index].id, SKANCore.CallResult(rawValue: results[index].result.rawValue) ?? .failed)
        }
        _ = try await perform(installID) { _ in ReengagementCall(acknowledgement, isForSKAN3: true) }
    }
}

extension AppCall {
    init(_ call: SKANCore.AppCall) {
        id = call.id
        conversion = call.conversion
        framework = call.framework == .skAdNetwork ? .skAdNetwork : .adAttributionKit
        conversionType = call.type == .none ? nil : call.type == .install ? .install : .reengagement
        window = Int(call.window.rawValue)
        fineValue = Int(call.fine)
        coarseValue = call.coarse.flatMap { CoarseValue(rawValue: Int($0)) }
        locksWindow = call.locksWindow
        timestamp = call.timestamp
        validUntil = call.validUntil
        tag = call.tag.isEmpty ? nil : String(decoding: call.tag, as: UTF8.self)
    }
}

extension CallTexts {
    /// The bytes of an iOS version, checked like ``Device/osVersion``.
    mutating func system(_ version: String?) throws -> UnsafeRawBufferPointer? {
        try device(Device(osVersion: version)).osVersion
    }
}
