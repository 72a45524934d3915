internal import SKANCore

/// The form of the file of networks, for help.
var networksHelp: Message {
    """
    NETWORKS is {"networks": [{"name", "ad_networks": [ID], "tokens": [TOKEN],
    "partners": [{"name", "url", "method"}]}]}. Names are 1 to 24 of a-z 0-9 . _ -; ID
    is Apple's ad network id; TOKEN is env:NAME or file:PATH, a file that its owner
    alone may read, with 16 to 256 printable bytes, up to 4 of them; none, and the
    network cannot forward. The method is "GET", or "POST": the postback's row is then
    the body, one JSON object as skan postbacks prints them, and id in it is what to
    drop repeats by.

    """
}

/// What a partner's URL may have in its query, for help.
var partnerURLHelp: Message {
    """
    A partner's url may have in its query, percent-encoded, "" where there is none:
    {id}, which a GET must have: the same in every attempt, to drop repeats by
    {network} {ad_network} {framework} {version} {transaction} {campaign}
    {source_identifier} {source_app} {source_domain} {app} {did_win} {redownload}
    {fidelity} {interaction} {country} {window} {fine} {coarse}; {conversion_type}:
    download, redownload or re-engagement, which has models and values of its own;
    {received}, Unix seconds; {decoding}: decoded, hidden, undecodable, ambiguous,
    no_model or none; {model}, its version; {events}: names with commas between them;
    {revenue_min} {revenue_max} {currency}: what the row of a POST has, for an ad that
    won; {revenue_kind}: all, iap or ad.

    """
}
