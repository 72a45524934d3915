/// The style sheet of the page, for light and dark mode.
var pageStyle: HTML {
    """
    :root { --paper: #ffffff; --card: #f5f6f8; --ink: #1a1d21; --soft: #4d5561; --rule: #c9ced6;
      --bed: #e6e9ee; --one: #1b5fa8; --two: #b85c00; --three: #5f6b7a; }
    @media (prefers-color-scheme: dark) { :root { --paper: #15181c; --card: #1e2329; --ink: #e8eaed;
      --soft: #b3bac4; --rule: #424a55; --bed: #2b323a; --one: #6cb2ff; --two: #ffb057; --three: #a3adba; } }
    * { box-sizing: border-box; }
    body { margin: 0; background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
    main { max-width: 78rem; margin: 0 auto; padding: 1rem 1.25rem 3rem; }
    h1 { font-size: 1.7rem; margin: .5rem 0; } h2 { font-size: 1.25rem; margin: 2.25rem 0 .75rem; }
    p, li { max-width: 50rem; } p { margin: .4rem 0; overflow-wrap: anywhere; }
    .facts { display: flex; flex-wrap: wrap; gap: .75rem; margin: 1.25rem 0; }
    .facts div { flex: 1 1 min(9.5rem, 45%); background: var(--card); border: 1px solid var(--rule); border-radius: .5rem; padding: .6rem .8rem;
      display: flex; flex-direction: column; justify-content: space-between; }
    .facts dt { color: var(--soft); font-size: .85rem; }
    .facts dd { margin: 0; font-size: 1.4rem; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
    @media (max-width: 30rem) { .facts dd { font-size: 1.1rem; } }
    .facts .headline { flex-basis: 100%; } .facts .headline dd { font-size: 1.7rem; font-weight: 600; }
    @media (max-width: 30rem) { .facts .headline dd { font-size: 1.3rem; } }
    .facts span { font-size: .85rem; color: var(--soft); }
    .charts { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1rem; grid-auto-flow: dense; }
    @media (min-width: 58rem) { .charts { grid-template-columns: repeat(2, minmax(0, 1fr)); }
      .w { grid-column: 1 / -1; } }
    figure { margin: 0; break-inside: avoid; display: flex; flex-direction: column; background: var(--card); border: 1px solid var(--rule);
      border-radius: .5rem; padding: .9rem 1rem; }
    figcaption { font-weight: 600; margin-bottom: .35rem; }
    .key { display: flex; flex-wrap: wrap; align-items: center; gap: .15rem .4rem; font-size: .85rem;
      color: var(--soft); margin: 0 0 .5rem; }
    .key > span { display: inline-flex; align-items: center; gap: .35rem; margin-right: .5rem; }
    .key span span { width: .8rem; height: .8rem; border-radius: 2px; }
    .k0, .s0 { background: var(--one); fill: var(--one); } .k1, .s1 { background: var(--two); fill: var(--two); }
    .k2, .s2 { background: var(--three); fill: var(--three); }
    svg { display: block; overflow: visible; } svg text { fill: var(--ink); font-size: 13px; }
    .label { font-size: 13px; line-height: 20px; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
    svg .v { text-anchor: end; font-variant-numeric: tabular-nums; } svg .b { fill: var(--bed); }
    svg .g { stroke: var(--card); stroke-width: 1px; }
    svg line { stroke: var(--rule); }
    .remark { font-size: .9rem; color: var(--soft); margin: .5rem 0 0; }
    .meanings { display: grid; gap: .15rem 1.5rem; grid-template-columns: repeat(auto-fit, minmax(min(18rem, 100%), 1fr));
      margin: .6rem 0 0; font-size: .9rem; }
    .meanings div { display: flex; gap: .6rem; } .meanings dd { margin: 0; color: var(--soft); overflow-wrap: anywhere; }
    .meanings dt { flex: none; min-width: 2ch; text-align: right; font-weight: 600; }
    details { margin-top: auto; padding-top: .5rem; font-size: .9rem; } summary { cursor: pointer; color: var(--soft); }
    .wide { overflow-x: auto; } .wide:focus-visible, summary:focus-visible { outline: 2px solid var(--one); }
    table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
    caption { text-align: left; max-width: calc(100vw - 2.5rem); color: var(--soft); padding: .3rem 0; }
    th, td { padding: .3rem .6rem; border-bottom: 1px solid var(--rule); text-align: right;
      vertical-align: bottom; }
    th:first-child { text-align: left; font-weight: 500; } thead th { font-weight: 600; }
    .names { min-width: 20rem; } td small { display: block; color: var(--soft); }
    tbody th, tbody td { vertical-align: baseline; } tbody th { overflow-wrap: anywhere; min-width: 9rem; }
    @media (min-width: 58rem) { tbody th { min-width: 14rem; } }
    .l0 th, .l0 td, .l1 th, .l1 td { font-weight: 650; } .l2 th:first-child { padding-left: 1.4rem; }
    .l3 th:first-child { padding-left: 2.6rem; } .l3 { color: var(--soft); }
    @media print { details { display: none; } }

    """
}

/// The style of error bars.
var intervalStyle: HTML {
    """
    svg .h { stroke: var(--card); stroke-width: 5px; } svg .e { stroke: var(--ink); stroke-width: 1.5px; } h3 { font-size: 1.05rem; margin: 1.5rem 0 .5rem; }

    """
}
