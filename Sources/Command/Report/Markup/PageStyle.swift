/// The style sheet of the page, for light and dark mode, narrow pages and paper.
var pageStyle: HTML { "\(pageColours)\(textStyle)\(tableStyle)\(chartStyle)\(narrowStyle)\(paperStyle)" }

private var textStyle: HTML {
    """
    * { box-sizing: border-box; }
    [hidden], .off, .more { display: none !important; }
    body { margin: 0; background: var(--paper); color: var(--ink); font: 15px/1.45 system-ui, sans-serif; }
    main { max-width: 80rem; margin: 0 auto; padding: .75rem 1.25rem 3rem; }
    h1 { font-size: 1.05rem; margin: 0; }
    h2 { font-size: 1.2rem; margin: 1.6rem 0 .4rem; }
    h3 { font-size: 1rem; margin: 1rem 0 .3rem; }
    p, li, dd { max-width: 62rem; overflow-wrap: anywhere; }
    p { margin: .3rem 0; }
    a { color: var(--s0); }
    .soft { color: var(--soft); font-size: .85rem; }
    .answer, .ground { max-width: none; }
    .answer { font-size: 1.35rem; line-height: 1.4; margin: .7rem 0 .4rem; }
    .id { white-space: nowrap; }
    small { color: var(--soft); font-size: .82rem; font-weight: 400; }
    details { margin: .3rem 0; }
    summary { cursor: pointer; color: var(--soft); width: fit-content; }
    .care summary { color: var(--ink); }
    .care strong { color: var(--bad); }
    .words dl { columns: 2 24rem; margin: .3rem 0; font-size: .9rem; }
    .words dl > div { break-inside: avoid; padding: .15rem 0; }
    .words dt { font-weight: 600; }
    .words dd { margin: 0; color: var(--soft); }
    .controls { display: flex; flex-wrap: wrap; gap: .4rem 1.5rem; margin: .5rem 0 0; color: var(--soft); }
    .controls label, select { max-width: 100%; }
    select, button { font: inherit; color: inherit; background: var(--card); border: 1px solid var(--soft);
      border-radius: .3rem; }
    .fold { margin: .4rem 0; padding: .2rem .7rem; }
    .sort { border: 0; background: none; padding: 0; text-align: inherit; font-weight: 600; cursor: pointer;
      white-space: nowrap; }
    .sort::after { content: " ↕"; color: var(--soft); }
    [aria-sort=descending] .sort::after { content: " ↓"; }
    [aria-sort=ascending] .sort::after { content: " ↑"; }
    :focus-visible { outline: 2px solid var(--s0); outline-offset: 1px; }

    """
}
