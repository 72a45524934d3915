internal import SKANCore

/// The forms of stores' URLs, for help.
var storeHelp: Message {
    """
    STORE is one of
      sqlite:FILE       an SQLite file of libskan-sqlite
      postgresql://...  table skan_records of a PostgreSQL database; the URL is
                        libpq's
      redis://...       a Redis or Valkey server; redis+unix:// for its Unix socket,
                        redis+cluster:// for a cluster, rediss:// and
                        rediss+cluster:// for TLS
      env:NAME          the URL in this environment variable: others cannot read
                        a password there as they can in a command line
    import and move make what they fill if it is not there.

    """
}
