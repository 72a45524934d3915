import Foundation
import LinkedLibrary

/// The functions of skan.h, of whichever copy of the library.
struct CLibrary: Sendable {
    typealias Errors = UnsafeMutablePointer<OpaquePointer?>
    typealias Out = UnsafeMutablePointer<skan_update>
    typealias Text = UnsafePointer<CChar>
    typealias TextOut = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
    typealias Create =
        @convention(c) (
            UnsafePointer<skan_options>?, UnsafeMutablePointer<OpaquePointer?>?, Errors?
        ) -> skan_status
    typealias Destroy = @convention(c) (OpaquePointer?) -> Void
    typealias Register = @convention(c) (OpaquePointer?, Text?, Out?, Errors?) -> skan_status
    typealias Revenue = @convention(c) (OpaquePointer?, Text?, Double, Text?, Bool, Text?, Errors?) -> skan_status
    typealias Apply =
        @convention(c) (
            OpaquePointer?, Text?, UInt64, UnsafeRawPointer?, Int, Out?, Errors?
        ) -> skan_status
    typealias Details = @convention(c) (OpaquePointer?, Text?, TextOut?, Errors?) -> skan_status
    typealias Free = @convention(c) (UnsafeMutableRawPointer?) -> Void
    typealias ErrorText = @convention(c) (OpaquePointer?) -> Text?
    typealias ErrorFree = @convention(c) (OpaquePointer?) -> Void
    typealias SetBuffer = @convention(c) (OpaquePointer?, UnsafeRawPointer?, Int) -> skan_status

    let create: Create
    let destroy: Destroy
    let register: Register
    let updateRevenue: Revenue
    let applyResponse: Apply
    let details: Details
    let free: Free
    let errorMessage: ErrorText
    let errorFree: ErrorFree
    let setBuffer: SetBuffer

    /// The one this program is linked with.
    static let linked = CLibrary(
        create: skan_create, destroy: skan_destroy, register: skan_register, updateRevenue: skan_update_revenue,
        applyResponse: skan_apply_response, details: skan_details, free: skan_free, errorMessage: skan_error_message,
        errorFree: skan_error_free, setBuffer: skan_buffer_set)

    /// Where its first function stands in memory.
    var place: UInt { UInt(bitPattern: unsafeBitCast(create, to: UnsafeRawPointer.self)) }

    struct Missing: Error {
        let name: String
    }

    /// Another copy, opened from a file.
    static func opened(_ path: String) throws -> CLibrary {
        guard let library = dlopen(path, RTLD_NOW | RTLD_GLOBAL) else { throw Missing(name: path) }
        func function<Function>(_ name: String, _ type: Function.Type) throws -> Function {
            guard let symbol = dlsym(library, name) else { throw Missing(name: name) }
            return unsafeBitCast(symbol, to: type)
        }
        return CLibrary(
            create: try function("skan_create", Create.self), destroy: try function("skan_destroy", Destroy.self),
            register: try function("skan_register", Register.self),
            updateRevenue: try function("skan_update_revenue", Revenue.self),
            applyResponse: try function("skan_apply_response", Apply.self),
            details: try function("skan_details", Details.self), free: try function("skan_free", Free.self),
            errorMessage: try function("skan_error_message", ErrorText.self),
            errorFree: try function("skan_error_free", ErrorFree.self),
            setBuffer: try function("skan_buffer_set", SetBuffer.self))
    }
}
