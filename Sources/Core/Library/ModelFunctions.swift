import CSKAN
import SKANCore
import SKANEngine
import SKANFace

// The functions on conversion models. skan.h describes them.

/// The object behind a `skan_model *`, which is reference-counted. The host holds one reference until
/// skan_model_destroy; engines hold only the model itself.
private final class ModelObject: @unchecked Sendable {
    let model: ConversionModel
    let version: UnsafeMutablePointer<CChar>

    init(_ model: ConversionModel) {
        self.model = model
        var text = ByteBuffer(capacity: 65)
        model.version.write(to: &text)
        version = cText(text)
    }

    deinit { version.deallocate() }

    static func at(_ pointer: OpaquePointer?) -> ModelObject? {
        guard let pointer else { return nil }
        return Unmanaged<ModelObject>.fromOpaque(UnsafeRawPointer(pointer)).takeUnretainedValue()
    }
}

@_cdecl("skan_model_create")
@implementation
public func skan_model_create(
    _ json: UnsafeRawPointer?, _ length: Int, _ out: ObjectOut, _ error: ErrorOut
) -> skan_status {
    out?.pointee = nil
    return call(error) { () throws(Failure) in
        guard json != nil || length == 0 else { throw null("json") }
        guard let out else { throw null("out") }
        guard length >= 0, length <= Limits.modelBytes else {
            throw Failure(
                .invalidDocument, "model at \"\": \(UInt(bitPattern: length)) bytes, the limit is \(Limits.modelBytes)")
        }
        let model = try ConversionModel.read(json: UnsafeRawBufferPointer(start: json, count: length))
        out.pointee = OpaquePointer(Unmanaged.passRetained(ModelObject(model)).toOpaque())
        return .ok
    }
}

@_cdecl("skan_model_destroy")
@implementation
public func skan_model_destroy(_ model: OpaquePointer?) {
    guard let model else { return }
    Unmanaged<ModelObject>.fromOpaque(UnsafeRawPointer(model)).release()
}

@_cdecl("skan_model_version")
@implementation
public func skan_model_version(_ model: OpaquePointer?) -> UnsafePointer<CChar>? {
    ModelObject.at(model).map { UnsafePointer($0.version) }
}

@_cdecl("skan_model_decode")
@implementation
public func skan_model_decode(
    _ model: OpaquePointer?, _ window: Int32, _ fine: Int32, _ coarse: Int32,
    _ json: TextOut, _ error: ErrorOut
) -> skan_status {
    textCall(json, error) { json throws(Failure) in
        guard let object = ModelObject.at(model) else { throw null("model") }
        guard let value = try object.model.decode(window: window, fine: fine, coarse: coarse) else { return .notFound }
        json.pointee = cText(value.json())
        return .ok
    }
}

@_cdecl("skan_explanation")
@implementation
public func skan_explanation(
    _ engine: OpaquePointer?, _ installID: TextIn, _ reengagement: UInt32, _ json: TextOut, _ error: ErrorOut
) -> skan_status {
    textCall(json, error) { json throws(Failure) in
        let (engine, key) = try checked(engine, installID)
        guard reengagement != 0 else {
            let (status, text) = try engine.perform(ExplainCall(), key)
            json.pointee = text?.start
            return status
        }
        let explanation = ReengagementExplanation(number: reengagement)
        let status = try engine.perform(explanation, key)
        if status == .ok { json.pointee = cText(explanation.json) }
        return status
    }
}

/// Checks that the models in an engine's options are for installs and of its protocol, and returns them.
@_optimize(size)
func engineModels(_ options: skan_options, _ protocolVersion: ProtocolVersion) throws(Failure) -> [ConversionModel] {
    try listedModels(options.models, options.model_count, protocolVersion, forReengagements: false)
}

@_optimize(size)
func reengagementSettings(
    _ options: skan_options, _ protocolVersion: ProtocolVersion
) throws(Failure) -> ReengagementSettings {
    let models = try listedModels(
        options.reengagement_models, options.reengagement_model_count, protocolVersion, forReengagements: true)
    guard options.reengagement_credit == 0 || options.reengagement_credit == 1 else {
        throw Failure(.invalidArgument, "reengagement_credit: expected 0 or 1, got \(options.reengagement_credit)")
    }
    return try ReengagementSettings(
        models: models, creditsNewest: options.reengagement_credit == 1,
        cooldownHours: options.reengagement_cooldown_hours)
}

@_optimize(size)
private func listedModels(
    _ pointers: UnsafePointer<OpaquePointer?>?, _ count: Int, _ protocolVersion: ProtocolVersion,
    forReengagements: Bool
) throws(Failure) -> [ConversionModel] {
    let name: StaticString = forReengagements ? "reengagement_models" : "models"
    guard count != 0 else { return [] }
    guard let pointers else { throw null(name) }
    guard count > 0, count <= Limits.models else {
        let countName: StaticString = forReengagements ? "reengagement_model_count" : "model_count"
        throw Failure(
            .invalidArgument, "\(countName): expected at most \(Limits.models), got \(UInt(bitPattern: count))")
    }
    var models: [ConversionModel] = []
    for index in 0..<count {
        guard let object = ModelObject.at(pointers[index]) else { throw null(name) }
        try EngineSettings.check(object.model, number: index, protocolVersion, forReengagements: forReengagements)
        models.append(object.model)
    }
    return models
}
