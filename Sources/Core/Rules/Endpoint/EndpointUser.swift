/// Rules, "Endpoint users": the user of a request, and the item that identifies the user. The texts are valid as long
/// as the items.
struct EndpointUser {
    let id: UnsafeRawBufferPointer
    private let item: Item

    /// The items that can identify a user; the first of them that a request has is used. The last three are those of
    /// clients that send neither idfv nor idfa.
    private enum Item: CaseIterable {
        case idfv, idfa, sing, sdid, customUserID

        var name: DocumentKey {
            switch self {
            case .idfv: "idfv"
            case .idfa: "idfa"
            case .sing: "sing"
            case .sdid: "sdid"
            case .customUserID: "custom_user_id"
            }
        }

        /// The text between "v1" or "v2" and the first slash of a record's key, such as "-idfa". The same text can be
        /// the idfv of one user and the idfa of another, so each kind of id has keys of its own.
        var keyPart: StaticString {
            switch self {
            case .idfv: ""
            case .idfa: "-idfa"
            case .sing: "-sing"
            case .sdid: "-sdid"
            case .customUserID: "-custom_user_id"
            }
        }
    }

    /// Returns nil if nothing identifies the user. `text` returns the text of an item, or nil if the item is absent; it
    /// throws if the text is invalid.
    init?<Fault>(_ text: (DocumentKey) throws(Fault) -> UnsafeRawBufferPointer?) throws(Fault) {
        // An invalid idfa is refused even if there is an idfv.
        _ = try text(Item.idfa.name)
        for item in Item.allCases {
            guard let id = try text(item.name), !isUnshared(id) else { continue }
            self.id = id
            self.item = item
            return
        }
        return nil
    }

    /// The item that identifies the user, for messages of refusals.
    var name: DocumentKey { item.name }

    /// The number of bytes before the app's id in the record's key, such as "v2-idfa/".
    var keyStartBytes: Int { 3 &+ item.keyPart.utf8CodeUnitCount }

    func writeKeyStart(_ protocolVersion: ProtocolVersion, to key: inout ByteBuffer) {
        key.append(protocolVersion == .skan4 ? "v2" : "v1")
        key.append(item.keyPart)
        key.append(UInt8(ascii: "/"))
    }
}

/// Whether an id is all zeros: Apple gives such an id if the user does not share it, and it identifies nobody.
private func isUnshared(_ id: UnsafeRawBufferPointer) -> Bool {
    id.allSatisfy { $0 == UInt8(ascii: "0") || $0 == UInt8(ascii: "-") }
}
