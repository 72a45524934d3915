package import SKANCore
package import SKANSystem

/// Rules, "Kept models": the record of a conversion model that users of skan serve began with. Its key is model/ and
/// the model's version in hexadecimal digits. Since the version is the SHA-256 of the document, the record never
/// changes, and is the same in every store.
package struct StoredModel {
    package let document: [UInt8]
    package let model: ConversionModel

    package static var prefix: StaticString { "model/" }

    package static func key(of version: SHA256) -> [UInt8] {
        var key = ByteBuffer(capacity: 70)
        key.append(prefix)
        version.write(to: &key)
        return key.array
    }

    static func isKey(_ key: Bytes) -> Bool {
        key.begins(with: prefix) && PostbackDigits.areAll(of: key.behind(prefix.utf8CodeUnitCount))
    }

    /// Returns the record of a model: the magic bytes, the format, and the document.
    package static func record(of document: [UInt8]) -> [UInt8] { [UInt8](magic.bytes) + [format] + document }

    static func begins(_ record: Bytes) -> Bool { record.begins(with: magic) }

    /// Reads a record. Throws CORRUPT_RECORD or RECORD_TOO_NEW if it is not the model of this key.
    package init(_ record: Bytes, under key: Bytes) throws(Failure) {
        guard let rest = record.behind(StoredModel.magic), let first = rest.first else { throw .notAModel }
        if first > StoredModel.format {
            let known = Int(StoredModel.format)
            throw Failure(.recordTooNew, "record: format \(Int(first)) of a model, this version knows \(known)")
        }
        let document = rest.behind(1)
        guard first == StoredModel.format, document.count <= Limits.modelBytes,
            StoredModel.key(of: SHA256(of: document)).withBytes({ $0.elementsEqual(key) })
        else { throw .notAModel }
        model = try ConversionModel.read(json: document)
        self.document = [UInt8](document)
    }

    private static var magic: StaticString { "skmd" }
    private static var format: UInt8 { 1 }
}

extension Failure {
    fileprivate static var notAModel: Failure { Failure(.corruptRecord, "record: not the model of this key") }
}
