var tableStyle: HTML {
    """
    .wide { overflow-x: auto; margin: .3rem 0 .8rem; }
    table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; font-size: .93rem; }
    caption { text-align: left; color: var(--soft); padding: .1rem 0 .3rem; font-size: .88rem; }
    th, td { padding: .22rem .5rem; border-bottom: 1px solid var(--rule); text-align: right; vertical-align:
      top; }
    thead th { font-weight: 600; vertical-align: bottom; line-height: 1.25; }
    th:first-child { text-align: left; padding-left: 0; }
    tbody th { font-weight: 500; min-width: 11rem; overflow-wrap: anywhere; }
    tbody th > small { display: block; }
    td > span > small { display: block; }
    .t { text-align: left; min-width: 12rem; }
    .sum th, .sum td, .l0 th, .l0 td, .l1 th, .l1 td { font-weight: 650; background: var(--card); }
    .l2 th { padding-left: 1rem !important; }
    .l3 th { padding-left: 2rem !important; }
    .l3 { color: var(--soft); }
    .wide-figure { width: 27rem; }
    .f { display: flex; gap: .8rem; align-items: center; }
    .f > span { flex: 0 0 11rem; display: flex; gap: .5rem; align-items: baseline; }
    .f > span > small { display: inline; white-space: nowrap; }
    .f > svg { flex: 1 1 0; min-width: 0; width: 0; }
    .bar { width: 30%; }
    .bar .f > span { display: none; }
    .bar .f { padding-top: .25rem; }
    .good { color: var(--good); }
    .good::before { content: "▲ "; }
    .bad { color: var(--bad); }
    .bad::before { content: "▼ "; }
    .open::before { content: "◆ "; }

    """
}
