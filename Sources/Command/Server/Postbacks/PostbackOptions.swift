package import SKANCommandOutbox
package import SKANSystem

/// What an operator says of postbacks.
package struct PostbackOptions {
    /// The URL of where they are kept; nil: none are taken.
    package var store: CText?
    /// nil for none.
    package var networks: Networks?
    package var ofInstalls = DatedModels()
    package var ofReengagements = DatedModels()
    /// A file of keys beside Apple's.
    package var keys: CText?
    package var outbox = OutboxSettings()

    package init() {}
}
