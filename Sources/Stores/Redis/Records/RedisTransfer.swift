internal import SKANCore

/// What came of receiving or sending bytes without waiting.
enum RedisTransfer {
    case bytes(Int)
    /// No bytes can be transferred at the moment.
    case again
    /// The server ended the connection.
    case ended
    case failed(Message)
}
