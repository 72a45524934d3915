import SKANCore

extension HelpSection {
    static var networks: HelpSection {
        HelpSection(
            title: "Networks",
            text: """
                NETWORKS is a file of this form:
                  {"networks": [{"name": NAME, "ad_networks": [ID, ...],
                    "tokens": [TOKEN, ...],
                    "partners": [{"name": NAME, "url": URL, "method": METHOD}, ...]}]}
                A NAME is 1 to 24 of a-z 0-9 . _ -. An ID is Apple's ad network id. A TOKEN is env:NAME, or file:PATH \
                of a file that only its owner may read; it has 16 to 256 printable bytes. A network has up to 4 of \
                them; without one it cannot pass postbacks on. The METHOD is "GET" or "POST". With POST the body is \
                the postback's row, one JSON object as skan postbacks prints it; drop repeats by its "id".
                """)
    }

    static var partnerURL: HelpSection {
        HelpSection(
            title: "Partner URLs",
            text: """
                The query of a partner's URL may have these placeholders. Values are percent-encoded; an unknown one \
                is empty.
                  {id}, which a GET must have: the same in every attempt, to drop repeats by
                  {network}: the network's NAME
                  {COLUMN}: a column of the postback's row, named as in skan help postbacks
                Times are Unix seconds, true and false are 1 and 0.
                """)
    }
}
