package import SKANCore

extension Serving {
    /// What the start and `--check` say where postbacks are taken and none of them would be decoded.
    func undecodedNotice(_ configuration: ServerConfiguration) -> Message? {
        guard postbacks.store != nil, !configuration.decodesPostbacks else { return nil }
        return SKANCommandServer.undecodedNotice
    }
}

/// What is said where postbacks are received, and there is no model that decodes those of installs.
package var undecodedNotice: Message {
    """
    postbacks are kept undecoded: give --postback-model FROM=FILE for each model there was, or one --model; \
    skan report --model decodes them later
    """
}
