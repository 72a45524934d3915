/// What Apple's articles leave open, read one way or the other in each world.
package struct Readings {
    /// The second in which a window ends belongs to that window.
    package var hasItsLastSecond = false
    /// An update without a coarse value leaves the coarse value of an earlier one in place.
    package var keepsCoarseValue = false
    /// Window 2 has a postback although the app made no coarse update in window 1.
    package var sendsAfterSilence = true
    /// Redownloads have postbacks of windows 1 and 2.
    package var redownloadsSendLater = true
    /// AdAttributionKit sends a postback of window 1 or 2 after an update without a coarse value, too; it has no value.
    package var kitSendsWithoutCoarse = false
    /// The three postbacks of an install have the same transaction id.
    package var sharesTransaction = false
    /// The lowest tier in which a postback of version 3 has a value.
    package var leastTierOfVersion3 = Tier.two

    package init() {}

    /// Draws each reading by itself.
    package init(_ chance: inout Chance) {
        hasItsLastSecond = chance.isDrawn(0.5)
        keepsCoarseValue = chance.isDrawn(0.5)
        sendsAfterSilence = chance.isDrawn(0.5)
        redownloadsSendLater = chance.isDrawn(0.5)
        kitSendsWithoutCoarse = chance.isDrawn(0.5)
        sharesTransaction = chance.isDrawn(0.5)
        leastTierOfVersion3 = chance.isDrawn(0.5) ? .one : .two
    }
}
