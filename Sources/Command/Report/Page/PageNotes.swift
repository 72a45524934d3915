extension Report {
    var notes: HTML {
        """
        <h2>How to read this</h2>
        <ul>
        <li>Installs are those of the first window's winning postbacks. Windows 1 and 2 are later looks at the \
        same installs and add none. Redownloads are counted separately; values, revenue and estimates include both.</li>
        <li>A re-engagement is not an install: somebody who had the app tapped an ad and came back. Its windows \
        count from the tap, a model for re-engagements says what its values mean, and its figures are separate. \
        Costs are compared with installs and redownloads.</li>
        <li>Apple hides a value where the crowd of installs is small. A hidden value is not 0. The share of hidden \
        values is that of window 0, which reports each install once.</li>
        <li>Source identifiers have two to four digits, as Apple allows: those with the same last two digits \
        are one campaign. An ad set has the postbacks that tell enough digits, so its installs may be more than \
        shown.</li>
        \(hasRevenue ? revenueNote : "")\(hasCosts ? costNote : "")<li>Dates are estimated: a postback of window 0, 1 \
        or 2 arrives 72 to 96, 192 to 312 or 864 to 984 hours after the install, or the tap of a re-engagement, \
        earlier where the window was locked; before SKAdNetwork 4.0 it takes one day at least, and longer with each \
        update.</li>
        </ul>

        """
    }
}

private var costNote: HTML {
    """
    <li><strong>Cost per install</strong> divides costs by installs and redownloads, and <strong>return on ad \
    spend</strong> divides the revenue of these same installs and redownloads by costs; so do the target and the \
    comparison. Both sides are of the campaigns that have a cost, and of the postbacks that arrived in the time of \
    this report. Re-engagements and ads that did not win are on neither side. A cost with a date counts as far as the \
    postbacks of that day’s installs arrive in this time: three to five days after the day began. A cost without a \
    date counts in full, although installs of the last days have not reported yet.</li>

    """
}

private var revenueNote: HTML {
    """
    <li>A value stands for a range of revenue. <strong>Revenue that values report, at least</strong> is the sum of \
    the lower ends of known values: nothing in it is estimated. <strong>Extrapolated</strong> revenue takes the \
    middle of each range, or the lower end where there is no upper one and for fine value 0 in window 0, which \
    registering alone gives too, and for values that are hidden or cannot be decoded the mean of the known ones of \
    their line and window, which they may be unlike. A window in which nothing is known is not in it. Extrapolated \
    revenue of parts does not add up to the whole’s.</li>

    """
}
