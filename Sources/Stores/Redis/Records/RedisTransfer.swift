internal import SKANCore

/// What came of receiving or sending bytes without waiting.
enum RedisTransfer {
    case bytes(Int)
    /// None now.
    case again
    /// By the server.
    case ended
    case failed(Message)
}
