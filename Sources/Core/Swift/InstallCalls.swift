internal import SKANCore
internal import SKANEngine

extension Engine {
    /// Registers the install at its first launch. In SKAN 4 the fine value becomes 0, and the result has the first
    /// update {window 0, fine 0}, if window 0 is open; in SKAN 3 there is no update. If the engine has conversion
    /// models, the install stays on the first of them. If the registration lets an install begin again, the install
    /// loses its values, counts and window totals, and its re-engagements end. Its event ids stay known;
    /// acknowledgements and endpoint answers for the time before have no effect. Reads the clock. Rules, "Register",
    /// "SKAN 3", "Model versions".
    ///
    /// - Parameters:
    ///   - installID: See ``Engine``.
    ///   - registration: By default the first launch is now, and an install that is already registered stays as it is.
    /// - Returns: ``Outcome/ok``, or ``Outcome/alreadyRegistered``.
    @discardableResult
    public nonisolated(nonsending) func register(
        _ installID: String, _ registration: Registration = Registration()
    ) async throws -> UpdateResult {
        UpdateResult(try await perform(installID) { _ in RegisterCall(try registration.checked) })
    }

    /// Adds a purchase, an ad impression's revenue or, if negative, a refund to the install's totals: to the lifetime
    /// total, and to the current window's total if the install is registered and a window is open. Reads the clock.
    /// Rules, "Update revenue", "Revenue tables", "Money is exact", "Event ids".
    ///
    /// Money is exact: the amount is read as its shortest decimal form, `4.99` as 4.99, rounded half-even to 12 places,
    /// and summed in decimal.
    ///
    /// - Parameters:
    ///   - installID: See ``Engine``.
    ///   - amount: Finite, below 10¹² in magnitude, in units of the currency. 0 adds nothing but records its event id.
    ///   - currency: Three ASCII letters, ISO 4217; stored in upper case.
    ///   - kind: The source of the money. SKAN 3 has no ad revenue.
    ///   - eventID: 1...128 bytes of UTF-8 without NUL that identify this purchase or impression. If one of the
    ///     install's last 64 IAP amounts or last 64 ad amounts had the same id, nothing is counted. Give an id wherever
    ///     a call may be repeated, especially after ``SKANError/Code/storeUnknown``. A refund needs an id of its own:
    ///     with the id of its purchase it is a duplicate.
    /// - Returns: ``Outcome/ok``, or ``Outcome/duplicateEvent``.
    /// - Throws: ``SKANError/Code/limitExceeded`` for more than 64 currencies in a table, or a total of 10¹⁸ or more.
    @discardableResult
    public nonisolated(nonsending) func updateRevenue(
        _ installID: String, amount: Double, currency: String, kind: RevenueKind = .iap, eventID: String? = nil
    ) async throws -> Outcome {
        try await updateRevenue(Revenue(installID, amount: amount, currency: currency, kind: kind, eventID: eventID))
    }

    /// Adds an exact amount, below 10¹² in magnitude, otherwise like the method that takes a `Double`.
    @discardableResult
    public nonisolated(nonsending) func updateRevenue(
        _ installID: String, amount: Amount, currency: String, kind: RevenueKind = .iap, eventID: String? = nil
    ) async throws -> Outcome {
        try await updateRevenue(Revenue(installID, amount: amount, currency: currency, kind: kind, eventID: eventID))
    }

    /// Adds a ``Revenue``, which may name a re-engagement to credit.
    @discardableResult
    public nonisolated(nonsending) func updateRevenue(_ revenue: Revenue) async throws -> Outcome {
        Outcome(try await perform(revenue.installID) { try revenue.call(settings.protocolVersion, &$0) })
    }

    /// Returns the whole state of an install. Changes nothing. Rules, "Details".
    public nonisolated(nonsending) func details(_ installID: String) async throws -> Details {
        Details(try await perform(installID) { _ in StateCall() })
    }

    /// Returns the items that the host adds to its server-to-server session and event calls: percent-encoded query
    /// items, "a=1&b=2", without a leading `?`; "" for an empty state. Changes nothing. Rules, "Metadata".
    public nonisolated(nonsending) func metadata(_ installID: String) async throws -> String {
        String(try await perform(installID) { _ in StateCall() }.metadata())
    }

    /// Imports the state of an install that has no record yet, from a details document of this library or of the
    /// published snippet. Nothing is pending afterwards. If the engine has conversion models, a registered install
    /// stays on the first of them from then on. Rules, "Import".
    ///
    /// - Parameters:
    ///   - installID: See ``Engine``.
    ///   - json: At most 64 KiB.
    /// - Returns: ``Outcome/ok``, or ``Outcome/alreadyRegistered`` if there is a record, registered or not.
    /// - Throws: ``SKANError/Code/limitExceeded`` for more than 64 KiB; ``SKANError/Code/invalidDocument``, naming the
    ///   key.
    @discardableResult
    public nonisolated(nonsending) func importDetails(
        _ installID: String, json: some Collection<UInt8> & Sendable
    ) async throws -> Outcome {
        Outcome(try await perform(installID) { ImportCall(try $0.keep(json, "json")) })
    }

    /// Imports details that ``details(_:)`` returned or that were decoded, as if their ``Details/json`` were imported.
    /// Rules, "Import".
    ///
    /// - Returns: ``Outcome/ok``, or ``Outcome/alreadyRegistered`` if there is a record, registered or not.
    /// - Throws: ``SKANError/Code/invalidDocument``, naming the key whose value is out of range.
    @discardableResult
    public nonisolated(nonsending) func importDetails(
        _ installID: String, _ details: Details
    ) async throws -> Outcome {
        try await importDetails(installID, json: details.json.utf8)
    }

    /// Deletes the install's record, even if it is damaged, was written by a newer libskan or is of the other protocol.
    /// An unknown install is not an error. Rules, "Forget".
    public nonisolated(nonsending) func forget(_ installID: String) async throws {
        var texts = CallTexts()
        defer { texts.free() }
        let key = try texts.installKey(installID)
        try checkNotInHook()
        try await remove(key)
    }

    /// Gives the install `oldID` the id `newID`, for example when an anonymous player logs in. Everything moves: event
    /// ids, the pending update, tickets, counts and re-engagements. If the call throws or the process is killed,
    /// exactly one of the two ids has the install, and calling again completes the rename. If both ids are equal,
    /// nothing changes. Rules, "Rename".
    ///
    /// - Returns: ``Outcome/ok``; ``Outcome/notFound`` if `oldID` has no record: it is unknown, or was renamed before;
    ///   ``Outcome/alreadyRegistered`` if `newID` has a record, registered or not.
    @discardableResult
    public nonisolated(nonsending) func rename(_ oldID: String, to newID: String) async throws -> Outcome {
        var texts = CallTexts()
        defer { texts.free() }
        let (old, new) = (try texts.installKey(oldID, "old_id"), try texts.installKey(newID, "new_id"))
        try checkNotInHook()
        let renaming = Renaming(old, to: new, settings.protocolVersion)
        defer { settings.numbers.forget(upTo: renaming.movedNumber) }
        switch storage {
        case .memory(let memory): memory.records.drive(renaming)
        case .host(let store): return Outcome(try await perform(renaming, store))
        }
        return Outcome(try translated { () throws(Failure) in try renaming.end() })
    }
}
