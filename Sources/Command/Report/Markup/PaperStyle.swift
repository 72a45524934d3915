/// The style of printed pages, which are landscape. What is folded on the screen is unfolded, except for the tables of
/// the charts' figures.
var paperStyle: HTML {
    """
    @page { size: A4 landscape; margin: 8mm 10mm; }
    @media print {
      :root { color-scheme: light; }
      body { font-size: 8pt; line-height: 1.2; }
      main { max-width: none; padding: 0; }
      table, caption, .remark, .key, .meanings { font-size: 8pt !important; }
      figcaption { font-size: 9pt; }
      figure { padding: .2rem .5rem; }
      .v { height: 11px; }
      p, li, dd { max-width: none; }
      .data, .controls, .fold, .sort::after { display: none !important; }
      .more { display: table-row !important; }
      .wide { overflow: visible; margin: .1rem 0 .4rem; }
      h2 { margin: .45rem 0 .1rem; font-size: 10.5pt; }
      p, ul { margin: .15rem 0; }
      .soft, .remark { font-size: 7pt !important; }
      h2, h2 + p, h3, caption, summary, thead, tbody:first-of-type > tr:nth-child(-n+2) { break-after: avoid; }
      tr, figure, .words, .care, li, section { break-inside: avoid; }
      td, th { padding: .06rem .4rem; }
      tbody th > small, td > span > small { display: inline; margin-left: .3rem; }
      tbody th { min-width: 0 !important; }
      small, tbody th { white-space: nowrap; }
      small { font-size: 7pt; }
      .wide-figure { width: 24%; }
      .t { min-width: 0; }
      th:first-child { overflow-wrap: normal; }
      .f > span { flex-basis: 8.5rem; }
      figure, svg *, .key b { print-color-adjust: exact; }
      details::details-content { content-visibility: visible; height: auto; }
      summary { list-style: none; }
      .words dl { columns: 4; font-size: 7.5pt; }
      .words dl { margin: 0; }
      .words dl > div { padding: 0; }
      .words dt, .words dd { display: inline; }
      .words dt::after { content: ": "; }
      .charts { grid-template-columns: repeat(auto-fit, minmax(15rem, 1fr)); zoom: .75; }
      .pair { display: block; }
      .answer { font-size: 11pt; margin: .2rem 0; }
      .meanings { columns: 4; }
      a { color: inherit; text-decoration: none; }
    }

    """
}
