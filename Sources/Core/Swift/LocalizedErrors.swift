// Code that prints an error's `localizedDescription`, a property of Foundation, needs this conformance.
// FoundationEssentials is enough for it. Without the package's trait LocalizedErrors nothing of Foundation is linked.
#if LocalizedErrors
    #if canImport(FoundationEssentials)
        public import FoundationEssentials
    #else
        public import Foundation
    #endif

    extension SKANError: LocalizedError {
        /// The message.
        public var errorDescription: String? { message }
    }

    extension StoreFailure: LocalizedError {
        /// The message.
        public var errorDescription: String? { message }
    }
#endif
