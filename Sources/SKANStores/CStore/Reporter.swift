internal import CSKAN
internal import CStoreAccess
internal import SKAN

/// Where the hooks of a store report what went wrong: it is kept for the call that runs on this thread, and told to the
/// host.
final class Reporter: Sendable {
    private let report: CStore.Report?

    init(_ report: CStore.Report?) {
        self.report = report
    }

    static let function: CStore.ReportFunction = { context, status, message in
        guard let context, let message else { return }
        skan_access_words_keep(message)
        let reporter = Unmanaged<Reporter>.fromOpaque(context).takeUnretainedValue()
        reporter.report?(SKANError(SKANError.Code(rawValue: status), String(cString: message)))
    }
}

extension SKANError {
    /// An error of C, which it ends. What is an option there is a parameter here.
    init(taking error: OpaquePointer?) {
        defer { skan_error_free(error) }
        let message = skan_error_message(error).map { String(cString: $0) } ?? ""
        let code = Code(rawValue: skan_error_code(error))
        let option = "options."
        let isOfOption = code == .invalidArgument && message.hasPrefix(option)
        self.init(code, isOfOption ? String(message.dropFirst(option.count)) : message)
    }
}
