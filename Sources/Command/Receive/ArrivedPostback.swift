internal import SKANCore
internal import SKANPostbackReceiving
internal import SKANPostbackVerification

/// A postback of a file on its way into the store.
final class ArrivedPostback {
    let reception: Reception
    /// Why the postback could not be stored; nil where nothing failed.
    var failure: Failure?

    init(_ reception: Reception) { self.reception = reception }

    var result: PostbackResult { reception.postback.result }
}

/// What a text of a file turned out to be.
enum ReadPostback {
    case arrived(ArrivedPostback)
    /// No postback, or one that does not say when it arrived: what was expected, and what is there.
    case wrong(Message)
    /// It could not be read.
    case failed(Message)
}
