// Without this conformance, Foundation's `localizedDescription` of an error would not show the message.
// FoundationEssentials is enough for it. Without the package's trait LocalizedErrors, Foundation is not linked at all.
#if LocalizedErrors
    #if canImport(FoundationEssentials)
        public import FoundationEssentials
    #else
        public import Foundation
    #endif

    extension SKANError: LocalizedError {
        /// The error's message.
        public var errorDescription: String? { message }
    }

    extension StoreFailure: LocalizedError {
        /// The error's message.
        public var errorDescription: String? { message }
    }
#endif
