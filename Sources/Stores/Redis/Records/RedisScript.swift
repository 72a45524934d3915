internal import SKANCore
internal import SKANSystem

/// A script that compares and sets one key. ARGV[1] is the header that must be stored now ("" for no record), ARGV[2]
/// the new value ("" to remove the record), and further arguments are options of SET. It returns 1 on success, 0 if
/// another version is stored, and the beginning of the stored value if this store did not write it. It writes once, as
/// its last step, so that an error of the script means that nothing was written.
enum RedisScript {
    static var text: StaticString {
        """
        local found = redis.call('GETRANGE', KEYS[1], 0, 10)
        if found ~= ARGV[1] then
            if found == '' or (#found == 11 and string.sub(found, 1, 3) == 'SK\\1') then return 0 end
            return found
        end
        if ARGV[2] == '' then return redis.call('DEL', KEYS[1]) end
        if redis.call('SET', KEYS[1], ARGV[2], found == '' and 'NX' or 'XX', unpack(ARGV, 3)) then return 1 end
        return found

        """
    }

    /// The name by which the script is called: the SHA-1 of its text.
    static var name: StaticString { "83465da4c39fc22c02f901c15ef006b54b648299" }

    /// Whether the server says that it does not know the script, or no longer knows it.
    static func isMissing(_ reply: RedisReply) -> Bool { reply.isError("NOSCRIPT ") }

    /// Whether a reply says that the script did not run, or did not reach its write. An error of another kind may come
    /// from a proxy that lost its server after it had passed the command on.
    static func isRefusal(_ reply: RedisReply) -> Bool {
        guard let said = reply.error else { return false }
        if refusals.contains(where: { said.hasPrefix($0) }) { return true }
        return said.hasPrefix("ERR Error running script (call to f_") || endsWithItsLine(said)
    }

    /// Whether an error ends as errors of `redis.call()` do since Redis 7: " script: NAME, on @user_script:LINE." Older
    /// servers begin with the script's name. An error that has the name elsewhere may come from a proxy, about a
    /// command that the proxy has passed on.
    private static func endsWithItsLine(_ said: Bytes) -> Bool {
        var length = said.count - 1
        guard said.last == UInt8(ascii: "."), length > 0, isDigit(said[length - 1]) else { return false }
        while length > 0, isDigit(said[length - 1]) { length -= 1 }
        let end: Message = " script: \(name), on @user_script:"
        return said.prefix(length).suffix(end.utf8.count).elementsEqual(end.utf8)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { 0x30...0x39 ~= byte }

    private static var refusals: [StaticString] {
        [
            "NOSCRIPT ", "NOAUTH ", "WRONGPASS ", "NOPERM ", "WRONGTYPE ", "OOM ", "READONLY ", "LOADING ", "MISCONF ",
            "NOREPLICAS ", "MASTERDOWN ", "BUSY ", "MOVED ", "ASK ", "TRYAGAIN ", "CROSSSLOT ", "DENIED ", "NOPROTO ",
            "CLUSTERDOWN ", "ERR unknown command", "ERR operation not permitted",
        ]
    }
}
