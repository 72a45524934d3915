import SKANCommandModels
import SKANCommandRows
import SKANCore

/// The meanings of values according to the given models, in the words of `skan model`.
struct ValueMeanings {
    private let models: RevenueModels

    init(_ models: RevenueModels) { self.models = models }

    /// Returns the meaning of a fine value of window 0; nil if no model has the value.
    func fine(_ value: Int) -> Message? { meaning(.first, Int32(clamping: value), -1) }

    /// Returns the meaning of a coarse value without a fine one; nil if no model has the value.
    func coarse(_ value: Int, _ window: Window) -> Message? { meaning(window, -1, Int32(clamping: value)) }

    /// Returns a value's meaning; nil if no model has the value. If models give different meanings, each meaning is
    /// preceded by the ids of its models and the first 6 characters of their versions.
    private func meaning(_ window: Window, _ fine: Int32, _ coarse: Int32) -> Message? {
        var found: [(words: Message, ids: Message)] = []
        for place in models.indices {
            guard let model = models[place]?.model, let words = model.meaning(window, fine, coarse) else { continue }
            let version = Message(utf8: [UInt8](Message(writing: model.version.write).utf8.prefix(6)))
            let id: Message = "\(Message(utf8: model.id)) \(version)"
            if let same = found.firstIndex(where: { $0.words.utf8 == words.utf8 }) {
                found[same].ids = "\(found[same].ids), \(id)"
            } else {
                found.append((words, id))
            }
        }
        guard found.count > 1 else { return found.first?.words }
        var text: Message = ""
        for (place, one) in found.enumerated() {
            let separator: StaticString = place == 0 ? "" : "; "
            text = "\(text)\(separator)\(one.ids): \(one.words)"
        }
        return text
    }
}

extension ConversionModel {
    /// nil if neither a rule nor registration alone gives the value.
    fileprivate func meaning(_ window: Window, _ fine: Int32, _ coarse: Int32) -> Message? {
        let found: DecodedValue?
        do throws(Failure) {
            found = try decode(window: Int32(window.rawValue), fine: fine, coarse: coarse)
        } catch {
            return nil
        }
        guard let found else { return nil }
        if found.isRegistration { return "registered; nothing more is known" }
        return words(of: found.envelope, nothing: "its rules have no condition in common")
    }
}
