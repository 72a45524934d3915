/// The colours, for light and dark mode. Charts use the palette of Okabe and Ito, whose colours colour-blind people can
/// tell apart, made darker or lighter for contrast. Lines also differ in their dashes.
var pageColours: HTML {
    """
    :root { color-scheme: light dark; --paper: #ffffff; --card: #f6f7f9; --ink: #1a1d21; --soft: #4d5561;
      --rule: #d5d9df; --s0: #005f9e; --s1: #b05a00; --s2: #6b7480; --c3: #00725a; --c4: #9c3f7d; --c5: #75610a;
      --good: #00694f; --bad: #b3261e; --mark: #b3261e; }
    @media (prefers-color-scheme: dark) {
      :root { --paper: #14171b; --card: #1d2228; --ink: #e8eaed; --soft: #b3bac4; --rule: #3d4550; --s0:
        #6cb6ff; --s1: #ffae57; --s2: #9aa4b1; --c3: #4fd1ab; --c4: #e59ccb; --c5: #e6d35c; --good: #5fd6b0;
        --bad: #ff9a90; --mark: #ff9a90; }
    }

    """
}
