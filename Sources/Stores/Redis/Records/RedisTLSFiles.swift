internal import SKANCore
internal import SKANSystem

/// What a URL says of TLS. Files are in PEM form.
struct RedisTLSFiles: Sendable {
    /// Authorities that servers' certificates are traced to; nil: those of the system.
    private(set) var authorities: CText?
    /// The client's certificate, with those between it and an authority, and its private key.
    private(set) var certificate, key: CText?
    /// The name that the certificate of every server must have; nil: the host by which the server is reached.
    private(set) var serverName: CText?

    /// False: the name is not known, or has been given before.
    mutating func set(_ name: Bytes, _ value: CText) -> Bool {
        if name.elementsEqual(("cacert" as StaticString).bytes) { return fill(&authorities, value) }
        if name.elementsEqual(("cert" as StaticString).bytes) { return fill(&certificate, value) }
        if name.elementsEqual(("key" as StaticString).bytes) { return fill(&key, value) }
        return name.elementsEqual(("sni" as StaticString).bytes) && fill(&serverName, value)
    }
}

private func fill(_ field: inout CText?, _ value: CText) -> Bool {
    if field != nil { return false }
    field = value
    return true
}
