extension Report {
    var pageWords: HTML {
        """
        <details class="words"><summary>What the words mean</summary><dl>
        <div><dt>Postback</dt><dd>Apple’s message that an ad led to an install. It names the campaign, never the \
        person.</dd></div>
        <div><dt>Value</dt><dd>What the app says in the postback of what the install did. A fine value is one of 64 \
        numbers, a coarse one low, medium or high.</dd></div>
        <div><dt>Window</dt><dd>The first postback tells of the first two days, window 0; later ones, of windows 1 and \
        2, of the days until day 7 and day 35.</dd></div>
        <div><dt>Hidden</dt><dd>A value that Apple has left out because the crowd of installs was small, or that the \
        app had not set. It is not 0.</dd></div>
        <div><dt>Install</dt><dd>Here also a redownload, since ads are paid for both.</dd></div>
        \(costWords)\(basis == nil ? provenWords : estimateWords)</dl></details>

        """
    }

    private var costWords: HTML {
        guard hasCosts else { return "" }
        return """
            <div><dt>CPI</dt><dd>Cost per install.</dd></div>
            <div><dt>Return on ad spend</dt><dd>Revenue of these installs, divided by their cost. At 100% they have \
            earned what they cost.</dd></div>

            """
    }

    private var provenWords: HTML {
        guard hasRevenue else { return "" }
        return """
            <div><dt>At least</dt><dd>What the values that are not hidden prove. Nothing in it is estimated.</dd></div>
            <div><dt>Extrapolated</dt><dd>As if hidden values were like the known ones of the same campaign, which \
            nobody knows.</dd></div>

            """
    }

    private var estimateWords: HTML {
        """
        <div><dt>Estimated</dt><dd>Computed from the app’s own installs with the same values. 95 of 100 intervals \
        contain the true figure; numbers are rounded to what their interval allows.</dd></div>
        <div><dt>By day 35</dt><dd>What installs bring until 35 days after each was made. Young ones are forecast. “To \
        date” is what they have brought so far.</dd></div>

        """
    }
}
