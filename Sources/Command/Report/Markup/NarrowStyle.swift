/// The style of narrow pages, on which each row of a table is a card: a title, and each cell beside its column's name.
var narrowStyle: HTML {
    """
    @media screen and (max-width: 46rem) {
      main { padding: .6rem .8rem 2rem; }
      .answer { font-size: 1.15rem; }
      table, tbody, tr, caption { display: block; }
      thead { display: none; }
      tr { border-top: 2px solid var(--rule); padding: .4rem 0; }
      tbody th { display: block; border: 0; min-width: 0; }
      .sum th, .sum td, .l0 th, .l0 td, .l1 th, .l1 td { background: none; }
      td { display: flex; justify-content: space-between; gap: 0 1rem; border: 0; padding: .1rem 0; flex-wrap:
        wrap; }
      td::before { content: attr(data-l); color: var(--soft); text-align: left; flex: 1 1 30%; font-weight: 400;
        }
      td > span { flex: 0 1 auto; max-width: 65%; overflow-wrap: anywhere; text-align: right; }
      .t, .bar, .wide-figure { width: auto; min-width: 0; }
      .f { flex: 1 0 100%; flex-wrap: wrap; }
      .f > span { flex: 1 0 100%; max-width: none; }
      .f > svg { flex: 1 0 100%; width: 100%; margin: .1rem 0 .2rem; }
    }

    """
}
