// What prints an error by its `localizedDescription`, which is Foundation's, asks for this conformance. The smaller
// part of Foundation is enough; without the package's trait LocalizedErrors not even that is linked.
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
