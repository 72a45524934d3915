import CSKAN
import SKANCompanionLibrary
import SKANCore
import SKANFace
import SKANPostbackReceiving
import SKANPostbackVerification

// The functions on receivers, which postback.h describes.

@_cdecl("skan_postback_receiver_create")
@implementation
public func skan_postback_receiver_create(
    _ options: UnsafePointer<skan_postback_receiver_options>?, _ out: ObjectOut,
    _ error: ErrorOut
) -> skan_status {
    out?.pointee = nil
    return opening(error) { () throws(Failure) in
        let options = try ReceiverOptions(options)
        let receiver: PostbackReceiver<NativeModel>
        do throws(Failure) {
            if out == nil { throw null("out") }
            receiver = try options.receiver()
        } catch {
            options.hooks.finalize()
            throw error
        }
        out?.pointee = OpaquePointer(Unmanaged.passRetained(ReceiverObject(receiver, options.hooks)).toOpaque())
    }
}

@_cdecl("skan_postback_receiver_destroy")
@implementation
public func skan_postback_receiver_destroy(_ receiver: OpaquePointer?) {
    guard let receiver else { return }
    Unmanaged<ReceiverObject>.fromOpaque(UnsafeRawPointer(receiver)).release()
}

private var receiptStruct: SizedStruct<skan_postback_receipt> { SizedStruct("out", skan_postback_receipt()) }

@_cdecl("skan_postback_receive")
@implementation
public func skan_postback_receive(
    _ receiver: OpaquePointer?, _ network: TextIn, _ body: UnsafeRawPointer?, _ length: Int,
    _ out: UnsafeMutablePointer<skan_postback_receipt>?, _ error: ErrorOut
) -> skan_status {
    opening(error) { () throws(Failure) in
        if let out { try receiptStruct.clear(out) }
        guard let receiver = ReceiverObject.at(receiver) else { throw null("receiver") }
        guard body != nil || length == 0 else { throw null("body") }
        let network = try networkName(network, "network")
        let body = try checkedBody(body, length, atMost: PostbackRecord.bodyBytes)
        let receipt = receipt(of: try receiver.receive(body, from: network))
        if let out { receiptStruct.give(receipt, to: out) }
    }
}

@_optimize(size)
@inline(never)
private func receipt(of reception: Reception) -> skan_postback_receipt {
    var receipt = skan_postback_receipt()
    receipt.outcome = reception.record.outcome.rawValue
    receipt.result = reception.postback.result.rawValue
    receipt.decoding = reception.record.decoding.rawValue
    receipt.is_kept = reception.isKept
    receipt.received = reception.record.received
    put(reception.key(), in: &receipt.key)
    if let model = reception.record.model { put(model, in: &receipt.model) }
    if let field = reception.postback.problemField {
        put(field.bytes, in: &receipt.problem_field)
    }
    if let (_, name) = reception.postback.unknownType { put(name, in: &receipt.unknown_type) }
    receipt.is_respelled = reception.postback.isRespelled
    return receipt
}
