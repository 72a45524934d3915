package import SKANCore
internal import SKANEngine

/// A conversion model, read and checked: it decides values locally, without an endpoint.
///
/// The model is a JSON document. Its rules say which fine or coarse value an install gets for its revenue, events,
/// sessions and days. `Sources/SKANModels` of this package describes the document and has models to start from (see its
/// README.md). Pass models to ``Engine/init(_:store:models:reengagements:transport:clock:)``; an install stays on the
/// model it was registered with. Rules, "Model document", "Model versions".
public struct ConversionModel: Sendable {
    package let core: SKANCore.ConversionModel

    /// Reads a model's document of at most 64 KiB.
    ///
    /// - Throws: ``SKANError/Code/invalidDocument``, also for a document over the limit. The message gives the place as
    ///   a JSON pointer (RFC 6901) in quotes, and the reason: `model at "/windows/0/rules/3/fine": expected ...`.
    public init(json: some Collection<UInt8>) throws {
        // One byte more than the limit is enough to refuse a document that is too long.
        let document = Array(json.prefix(Limits.modelBytes + 1))
        core = try translated { () throws(Failure) in
            var model: SKANCore.ConversionModel?
            var failure: Failure?
            document.withUnsafeBytes { bytes in
                do throws(Failure) { model = try .read(json: bytes) } catch { failure = error }
            }
            guard let model else { throw failure ?? Failure(.invalidDocument, "model at \"\": not read") }
            return model
        }
    }

    /// The SHA-256 of the document's bytes, 64 hexadecimal digits in lower case. Keep every document under its version:
    /// installs stay on the model they were registered with.
    public var version: String { String { core.version.write(to: &$0) } }

    /// The protocol that an engine with this model must use.
    public var protocolVersion: ProtocolVersion { ProtocolVersion(core: core.protocolVersion) }

    /// Decodes a value: returns all rules of the window that give this value, and the envelope of their conditions,
    /// which has the smallest ranges that contain the ranges of all these rules.
    ///
    /// An install that was registered, and nothing else, has fine 0 in window 0 too (in SKAN 3 it has no value, which
    /// counts as 0). So if fine 0 in window 0 is decoded without a coarse value, the document ends in `"registration":
    /// true`, and its envelope also covers such an install: each `min` above 0 becomes 0, and a revenue's `max` of 0 or
    /// less becomes open. The rules are listed unchanged. If no rule has fine 0, `rules` and the envelope are empty.
    ///
    /// If a postback carries no value, Apple hid the value; it is not 0. Rules, "Model decode".
    ///
    /// - Parameters:
    ///   - window: 0, 1 or 2; 0 in SKAN 3.
    ///   - fine: 0...63; nil = not given. At least one of fine and coarse is required. If both are given, only rules
    ///     with both are found.
    ///   - coarse: nil = not given.
    /// - Returns: A JSON object, `{"window", "currency", "rules": [{"rule": its number from 0, "fine", "coarse",
    ///   "lock", "when"}], "envelope"}`, where `when` and `envelope` are `{"events": [{"name", "min_count",
    ///   "max_count"}], "revenue": [{"kind", "scope", "min", "max"}], "sessions": {"min", "max"}, "day": {"min",
    ///   "max"}}`; then `"registration": true` if registering gives the value too. A range does not include its max;
    ///   null is an open end. nil if neither a rule nor registering gives the value: it cannot be decoded.
    /// - Throws: ``SKANError/Code/invalidArgument``.
    public func decode(window: Int, fine: Int? = nil, coarse: CoarseValue? = nil) throws -> String? {
        // The core takes C's numbers, where -1 means "not given". So a given -1 must be refused here.
        func number(_ value: Int, _ name: String, _ most: Int) throws -> Int32 {
            guard 0...most ~= value else {
                throw SKANError(.invalidArgument, "\(name): expected 0 to \(most), got \(value)")
            }
            return Int32(value)
        }
        let window = try number(window, "window", 2)
        let fine = try fine.map { try number($0, "fine", 63) } ?? -1
        let coarse = coarse.map { Int32($0.rawValue) } ?? -1
        return try translated { () throws(Failure) in
            guard let value = try core.decode(window: window, fine: fine, coarse: coarse) else { return nil }
            return String(value.json())
        }
    }
}

extension ConversionModel: Hashable {
    /// Whether both models have the same version.
    public static func == (left: ConversionModel, right: ConversionModel) -> Bool {
        left.core.version == right.core.version
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(version) }
}

extension ConversionModel: CustomStringConvertible {
    public var description: String {
        "conversion model \(String(decoding: core.id, as: UTF8.self)), version \(version)"
    }
}

/// Returns the settings of a new engine. Throws unless they name a source of conversion values.
func checkedSettings(_ settings: consuming EngineSettings) throws -> EngineSettings {
    do throws(Failure) { try settings.checkSources() } catch { throw SKANError(error) }
    return settings
}

/// Checks that a new engine's models are of its protocol, and that they are models for re-engagements if
/// `forReengagements` is true, otherwise for installs. Returns the core's models.
func checkedModels(
    _ models: [ConversionModel], _ name: String, _ protocolVersion: SKANCore.ProtocolVersion,
    forReengagements: Bool = false
) throws -> [SKANCore.ConversionModel] {
    guard models.count <= Limits.models else {
        throw SKANError(.invalidArgument, "\(name): expected at most \(Limits.models), got \(models.count)")
    }
    try translated { () throws(Failure) in
        for (index, model) in models.enumerated() {
            try EngineSettings.check(model.core, number: index, protocolVersion, forReengagements: forReengagements)
        }
    }
    return models.map { $0.core }
}
