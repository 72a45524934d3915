package import CSKAN
package import SKANCore
package import SKANFace
internal import SKANSystem

package typealias ReportFunction = @convention(c) (UnsafeMutableRawPointer?, skan_status, UnsafePointer<CChar>?) -> Void

/// A Swift closure that reports failures to a C function; nil if there is no function.
package func reporter(_ function: ReportFunction?, _ context: UnsafeMutableRawPointer?) -> ((Failure) -> Void)? {
    guard let function else { return nil }
    return { failure in
        CText(failure.message.utf8).characters.withUnsafeBufferPointer {
            function(context, failure.status.rawValue, $0.baseAddress)
        }
    }
}

/// Runs a function that opens or creates something; turns its result into a status and a libskan error object.
package func opening(
    _ error: ErrorOut, _ body: () throws(Failure) -> Void
) -> skan_status {
    do throws(Failure) {
        try body()
        error?.pointee = nil
        return Status.ok.rawValue
    } catch let failure {
        error?.pointee = errorObject(failure)
        return failure.status.rawValue
    }
}

/// Creates a libskan error object, which the caller owns.
package func errorObject(_ failure: Failure) -> OpaquePointer? {
    CText(failure.message.utf8).characters.withUnsafeBufferPointer {
        skan_error_create(failure.status.rawValue, $0.baseAddress)
    }
}

package func checkOption(_ name: StaticString, _ value: UInt32, atMost most: UInt32) throws(Failure) {
    if value > most { throw Failure(.invalidArgument, "options.\(name): expected at most \(most), got \(value)") }
}
