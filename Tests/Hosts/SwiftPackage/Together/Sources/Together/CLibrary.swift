import Foundation
import LinkedLibrary

/// The functions of skan.h, of whichever copy of the library.
struct CLibrary: Sendable {
    typealias Errors = UnsafeMutablePointer<OpaquePointer?>
    typealias Out = UnsafeMutablePointer<skan_update>
    typealias Text = UnsafePointer<CChar>
    typealias TextOut = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>

    let create:
        @convention(c) (UnsafePointer<skan_options>?, UnsafeMutablePointer<OpaquePointer?>?, Errors?) -> skan_status
    let destroy: @convention(c) (OpaquePointer?) -> Void
    let register:
        @convention(c) (OpaquePointer?, Text?, UnsafePointer<skan_registration>?, Out?, Errors?) -> skan_status
    let updateRevenue: @convention(c) (OpaquePointer?, Text?, skan_amount, Text?, Int32, Text?, Errors?) -> skan_status
    let applyResponse:
        @convention(c) (
            OpaquePointer?, Text?, UnsafePointer<skan_event>?, UInt64, UnsafeRawPointer?, Int, Out?, Errors?
        ) -> skan_status
    let details: @convention(c) (OpaquePointer?, Text?, TextOut?, Errors?) -> skan_status
    let free: @convention(c) (UnsafeMutableRawPointer?) -> Void
    let errorMessage: @convention(c) (OpaquePointer?) -> Text?
    let errorFree: @convention(c) (OpaquePointer?) -> Void
    let setBuffer: @convention(c) (OpaquePointer?, UnsafeRawPointer?, Int) -> skan_status

    /// The one this program is linked with.
    static let linked = CLibrary(
        create: skan_create, destroy: skan_destroy, register: skan_register, updateRevenue: skan_update_revenue,
        applyResponse: skan_apply_response, details: skan_details, free: skan_free, errorMessage: skan_error_message,
        errorFree: skan_error_free, setBuffer: skan_buffer_set)

    /// The address of its first function in memory.
    var place: UInt { UInt(bitPattern: unsafeBitCast(create, to: UnsafeRawPointer.self)) }

    struct Missing: Error {
        let name: String
    }

    /// Another copy, opened from a file.
    static func opened(_ path: String) throws -> CLibrary {
        guard let library = dlopen(path, RTLD_NOW | RTLD_GLOBAL) else { throw Missing(name: path) }
        func function<Function>(_ name: String) throws -> Function {
            guard let symbol = dlsym(library, name) else { throw Missing(name: name) }
            return unsafeBitCast(symbol, to: Function.self)
        }
        return CLibrary(
            create: try function("skan_create"), destroy: try function("skan_destroy"),
            register: try function("skan_register"), updateRevenue: try function("skan_update_revenue"),
            applyResponse: try function("skan_apply_response"), details: try function("skan_details"),
            free: try function("skan_free"), errorMessage: try function("skan_error_message"),
            errorFree: try function("skan_error_free"), setBuffer: try function("skan_buffer_set"))
    }
}
