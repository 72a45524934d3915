import CSKAN
import SKANCompanionLibrary
import SKANCore
import SKANFace
import SKANPostbackVerification
import SKANSystem

// The functions on one postback, which postback.h describes.

@_cdecl("skan_postback_verify")
@implementation
public func skan_postback_verify(
    _ body: UnsafeRawPointer?, _ length: Int, _ options: UnsafePointer<skan_postback_options>?,
    _ out: ObjectOut, _ error: ErrorOut
) -> skan_status {
    out?.pointee = nil
    return opening(error) { () throws(Failure) in
        let options = try SizedStruct("options", skan_postback_options()).read(options)
        guard let out else { throw null("out") }
        guard body != nil || length == 0 else { throw null("body") }
        let body = try checkedBody(body, length, atMost: Limits.responseBytes)
        out.pointee = PostbackObject.make(try VerifiedPostback(verifying: body, keys: try keySet(options.keys)))
    }
}

/// A length above Int.max arrives as a negative number.
func checkedBody(
    _ body: UnsafeRawPointer?, _ length: Int, atMost most: Int
) throws(Failure) -> UnsafeRawBufferPointer {
    guard length >= 0, length <= most else {
        throw Failure(.limitExceeded, "body: \(UInt(bitPattern: length)) bytes, the limit is \(most)")
    }
    return UnsafeRawBufferPointer(start: body, count: length)
}

@_cdecl("skan_postback_destroy")
@implementation
public func skan_postback_destroy(_ postback: OpaquePointer?) {
    guard let postback else { return }
    Unmanaged<PostbackObject>.fromOpaque(UnsafeRawPointer(postback)).release()
}

@_cdecl("skan_postback_result")
@implementation
public func skan_postback_result(_ postback: OpaquePointer?) -> Int32 {
    PostbackObject.at(postback)?.postback.result.rawValue ?? -1
}

@_cdecl("skan_postback_result_name")
@implementation
public func skan_postback_result_name(_ result: Int32) -> UnsafePointer<CChar>? {
    (PostbackResult(rawValue: result)?.name ?? "unknown").cString
}

@_cdecl("skan_postback_problem")
@implementation
public func skan_postback_problem(_ postback: OpaquePointer?) -> UnsafePointer<CChar>? {
    let empty: StaticString = ""
    return PostbackObject.at(postback)?.postback.problem.flatMap(cText) ?? empty.cString
}

@_cdecl("skan_postback_problem_field")
@implementation
public func skan_postback_problem_field(_ postback: OpaquePointer?) -> UnsafePointer<CChar>? {
    PostbackObject.at(postback)?.postback.problemField?.cString
}

@_cdecl("skan_postback_signed_fields")
@implementation
public func skan_postback_signed_fields(
    _ postback: OpaquePointer?, _ count: UnsafeMutablePointer<Int>?
) -> UnsafePointer<UnsafePointer<CChar>?>? {
    let object = PostbackObject.at(postback)
    count?.pointee = object?.signedCount ?? 0
    return object?.signedNames ?? noNames
}

@_cdecl("skan_postback_is_respelled")
@implementation
public func skan_postback_is_respelled(_ postback: OpaquePointer?) -> Bool {
    PostbackObject.at(postback)?.postback.isRespelled ?? false
}

@_cdecl("skan_postback_illegal_fields")
@implementation
public func skan_postback_illegal_fields(
    _ postback: OpaquePointer?, _ count: UnsafeMutablePointer<Int>?
) -> UnsafePointer<UnsafePointer<CChar>?>? {
    let object = PostbackObject.at(postback)
    count?.pointee = object?.illegalCount ?? 0
    return object?.illegalNames ?? noNames
}

/// An empty list of names. It is a global, so that its address never changes.
private nonisolated(unsafe) var endOfNames: UnsafePointer<CChar>?
private var noNames: UnsafePointer<UnsafePointer<CChar>?> {
    withUnsafeMutablePointer(to: &endOfNames) { UnsafePointer($0) }
}

@_cdecl("skan_postback_conversion_type_name")
@implementation
public func skan_postback_conversion_type_name(_ conversion_type: Int32) -> UnsafePointer<CChar>? {
    (PostbackConversion(rawValue: conversion_type) ?? .unknown).name.cString
}

@_cdecl("skan_postback_record_key")
@implementation
public func skan_postback_record_key(_ postback: OpaquePointer?) -> UnsafePointer<CChar>? {
    PostbackObject.at(postback)?.postback.key.flatMap(cText)
}

@_cdecl("skan_postback_body")
@implementation
public func skan_postback_body(_ postback: OpaquePointer?, _ length: UnsafeMutablePointer<Int>?) -> UnsafeRawPointer? {
    let body = PostbackObject.at(postback)?.postback.body
    length?.pointee = body?.count ?? 0
    return body?.baseAddress
}

@_cdecl("skan_postback_canonical_body")
@implementation
public func skan_postback_canonical_body(
    _ postback: OpaquePointer?, _ length: UnsafeMutablePointer<Int>?
) -> UnsafeRawPointer? {
    let body = PostbackObject.at(postback)?.postback.canonicalBody
    length?.pointee = body?.count ?? 0
    return body?.baseAddress
}

@_cdecl("skan_postback_json")
@implementation
public func skan_postback_json(
    _ postback: OpaquePointer?, _ json: TextOut,
    _ error: ErrorOut
) -> skan_status {
    json?.pointee = nil
    return opening(error) { () throws(Failure) in
        guard let object = PostbackObject.at(postback) else { throw null("postback") }
        guard let json else { throw null("json") }
        json.pointee = object.postback.json().text().start
    }
}
