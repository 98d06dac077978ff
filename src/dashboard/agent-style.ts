/** The part of the style sheet for an agent's page; it uses the colours of `STYLE`. */
export const AGENT_STYLE = `
.head h1 .title { font-weight: 400; }
.headline { font-size: 1.15rem; font-weight: 600; }
.headline .state { white-space: normal; }
.now { margin-top: .15rem; }
.about { font-size: .9rem; margin-top: .15rem; }
h3 { margin-top: .6rem; }

.budgets, .facts { display: grid; gap: .6rem 1.5rem; margin: 0; }
.budgets { grid-template-columns: repeat(auto-fill, minmax(9rem, 1fr)); }
.facts { grid-template-columns: repeat(auto-fill, minmax(9rem, 1fr)); margin-top: .8rem; }
.budgets dt, .facts dt { color: var(--soft); font-size: .85rem; }
.budgets dd, .facts dd { margin: 0; overflow-wrap: anywhere; }
.budgets .bar { height: 6px; margin: .25rem 0 0; width: 100%; }
.budgets .bar .whole { fill: var(--track); }

.status { border: 1px solid var(--line); border-radius: 3px; color: var(--soft); font-size: .85rem; padding: 0 .35rem; }
.status:empty { display: none; }
.status.good { border-color: var(--good); color: var(--good); }
.status.failure, .status.denied { border-color: var(--bad); color: var(--bad); }
.evidence .body { margin: .3rem 0; white-space: pre-wrap; }
.evidence ul { list-style: disc; padding-left: 1.25rem; }

.screens { display: grid; gap: .75rem; grid-template-columns: repeat(auto-fit, minmax(min(7rem, 100%), 1fr)); margin: .3rem 0 .8rem; }
.screens figure { margin: 0; }
.screens figcaption { color: var(--soft); font-size: .85rem; }
.screens a { display: block; }
.screens img { background: #fff; border: 1px solid var(--line); display: block; height: auto; max-height: 8rem; max-width: 100%; width: auto; }

.transcript li { padding: .1rem 0; }
.transcript .said { border-left: 2px solid var(--line); margin: .3rem 0; padding-left: .6rem; }
.transcript .said p { white-space: pre-wrap; }
.transcript .note { color: var(--soft); font-size: .9rem; }

.diff .came { color: var(--good); }
.diff .went { color: var(--bad); }
.diff .added { background: var(--added); }
.diff .removed { background: var(--removed); }
.diff .hunk { color: var(--soft); }
.diff pre span { display: block; min-height: 1.5em; }
.locally { margin-top: .5rem; }

.path { display: flex; flex-wrap: wrap; gap: .25rem 0; margin-bottom: .4rem; }
.path li { border: 1px solid var(--line); border-radius: 4px; padding: .05rem .5rem; }
.path li:not(:last-child) { margin-right: 1.4rem; position: relative; }
.path li:not(:last-child)::after { color: var(--soft); content: "→" / ""; position: absolute; right: -1.15rem; }
.path .lit { border-color: var(--calm); color: var(--calm); font-weight: 600; }
.timeline li, .decisions li { border-bottom: 1px solid var(--line); padding: .3rem 0; }
.timeline[tabindex] { color: var(--soft); max-height: 24rem; overflow-y: auto; }
.timeline .main { color: var(--ink); }
details details { margin-left: 1rem; }
.others .state { margin-left: .4rem; }
@media (max-width: 700px) {
  .budgets, .facts { gap: .5rem 1rem; grid-template-columns: repeat(2, minmax(0, 1fr)); }
  main > section { margin-top: 1.1rem; }
  details > summary { padding: .35rem 0; }
  .diff summary, .evidence summary, .transcript summary { padding: .25rem 0; }
}
`;
