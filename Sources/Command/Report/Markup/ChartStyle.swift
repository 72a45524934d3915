var chartStyle: HTML {
    """
    .charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(22rem, 100%), 1fr)); gap: .8rem;
      }
    .pair { display: grid; grid-template-columns: minmax(0, 1fr); column-gap: 2.5rem; }
    @media (min-width: 68rem) {
      .pair { grid-template-columns: repeat(2, minmax(0, 1fr)); }
    }
    .pair > section:only-child { grid-column: 1 / -1; }
    .pair tbody th { min-width: 8rem; }
    .pair th, .pair td { padding-inline: .35rem; }
    .charts > div { display: grid; }
    figure { margin: 0; background: var(--card); border: 1px solid var(--rule); border-radius: .4rem; padding:
      .6rem .8rem; min-width: 0; }
    figcaption { font-weight: 600; }
    .remark { font-size: .82rem; color: var(--soft); margin: .2rem 0 0; }
    svg { display: block; overflow: visible; }
    svg text { fill: var(--ink); font-size: 12px; }
    svg .k { fill: var(--soft); }
    svg line { stroke: var(--rule); }
    .w text { fill: var(--soft); font-weight: 400; }
    .s0 { fill: var(--s0); }
    .s1 { fill: var(--s1); }
    .s2 { fill: var(--s2); }
    .w .m { stroke: var(--mark); stroke-dasharray: 2 2; }
    .w .m0 { stroke: var(--soft); stroke-dasharray: none; }
    .w .e { stroke: var(--s0); stroke-width: 2.5px; }
    .w circle { fill: var(--ink); stroke: var(--paper); stroke-width: 1.5px; }
    .v path { stroke: var(--s0); stroke-width: 3px; }
    .v .o { stroke: var(--s0); stroke-opacity: .4; }
    line.m { stroke: var(--mark); stroke-dasharray: 4 3; }
    svg text.m { fill: var(--mark); paint-order: stroke; stroke: var(--card); stroke-width: 3px; }
    .band { fill: var(--s0); opacity: .2; }
    .l { fill: none; stroke-width: 2px; vector-effect: non-scaling-stroke; }
    svg .l0 { stroke: var(--s0); stroke-width: 2.5px; }
    svg .l1 { stroke: var(--s1); stroke-dasharray: 8 3; }
    svg .l2 { stroke: var(--s2); stroke-dasharray: 2 3; }
    svg .l3 { stroke: var(--c3); stroke-dasharray: 10 3 2 3; }
    svg .l4 { stroke: var(--c4); stroke-dasharray: 5 5; }
    svg .l5 { stroke: var(--c5); stroke-dasharray: 1 2; }
    .p0 { fill: var(--s0); }
    .p1 { fill: var(--s1); }
    .p2 { fill: var(--s2); }
    .p3 { fill: var(--c3); }
    .p4 { fill: var(--c4); }
    .p5 { fill: var(--c5); }
    .o { fill: var(--card); stroke: var(--s0); stroke-width: 1.5px; }
    p.key { display: flex; flex-wrap: wrap; gap: .1rem .9rem; font-size: .82rem; margin: .1rem 0 .3rem; }
    p.key > span { display: inline-flex; align-items: center; gap: .35rem; }
    .key > span { white-space: nowrap; }
    .key b { display: inline-block; width: .7rem; height: .7rem; margin: 0 .2rem 0 .6rem; }
    .k0 { background: var(--s0); }
    .k1 { background: var(--s1); }
    .k2 { background: var(--s2); }
    .meanings { columns: 3 16rem; margin: .4rem 0 0; font-size: .88rem; }
    .meanings div { display: flex; gap: .6rem; break-inside: avoid; }
    .meanings dd { margin: 0; color: var(--soft); }
    .meanings dt { flex: none; min-width: 2ch; text-align: right; font-weight: 600; }

    """
}
