/** The page's only style sheet: system fonts, few colours, light and dark mode. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --paper: light-dark(#ffffff, #14171b);
  --sunk: light-dark(#f5f6f8, #1c2026);
  --line: light-dark(#d9dde3, #343b44);
  --ink: light-dark(#1b1f24, #e6e9ed);
  --soft: light-dark(#586069, #a2abb6);
  --link: light-dark(#0a58ca, #7db3ff);
  --good: light-dark(#17693a, #6fcf97);
  --calm: light-dark(#3b5bab, #9db7f5);
  --warn: light-dark(#8a4b00, #f2b84b);
  --warn-paper: light-dark(#fff6e5, #2b2312);
  --bad: light-dark(#b3261e, #ff8a80);
  --added: light-dark(#e6f4ea, #14301f);
  --removed: light-dark(#fdeceb, #3a1c1b);
  --track: light-dark(#b9c0ca, #4a525d);
}
/* What the viewer chose comes before what their system says. */
:root[data-theme="light"] { color-scheme: light; }
:root[data-theme="dark"] { color-scheme: dark; }
* { box-sizing: border-box; }
html { background: var(--paper); color: var(--ink); font: 14px/1.45 system-ui, sans-serif; }
body { margin: 0; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
a { color: var(--link); text-decoration-thickness: 1px; text-underline-offset: 2px; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 2px; }
main:focus { outline: none; }
h1 { font-size: 1.3rem; line-height: 1.3; margin: 0 0 .75rem; }
h2 { font-size: .95rem; margin: 0 0 .5rem; }
h3 { font-size: .85rem; margin: 0 0 .4rem; }
p { margin: 0; }
code, pre { font: 12px/1.5 ui-monospace, monospace; }
pre {
  background: var(--sunk); border: 1px solid var(--line); border-radius: 4px; margin: .4rem 0; padding: .5rem;
  max-height: 24rem; overflow: auto; white-space: pre-wrap;
}
ol, ul { list-style: none; margin: 0; padding: 0; }
details > summary { cursor: pointer; padding: .15rem 0; }
.unseen { clip-path: inset(50%); height: 1px; overflow: hidden; position: absolute; white-space: nowrap; width: 1px; }
.skip { background: var(--paper); left: .5rem; padding: .5rem; position: absolute; top: -4rem; z-index: 1; }
.skip:focus { top: .5rem; }
.empty, .of { color: var(--soft); }
.empty { padding: .5rem 0; }
.refused { color: var(--bad); }
.notice { background: var(--warn-paper); border-left: 3px solid var(--warn); margin: 0 0 .75rem; padding: .5rem .75rem; }

main { margin: 0 auto; max-width: 1500px; padding: 1rem 1.25rem 3rem; }
main > section, .first > section { min-width: 0; }
main > section { margin-top: 1.5rem; }
.sign-in { max-width: 30rem; padding-top: 12vh; }
.sign-in button { justify-self: start; }
.sign-in form { display: grid; gap: .5rem; margin-top: 1rem; }
input { background: var(--paper); border: 1px solid var(--soft); border-radius: 4px; color: inherit; font: inherit; padding: .45rem .6rem; }
button {
  background: var(--paper); border: 1px solid var(--soft); border-radius: 4px; color: var(--ink); cursor: pointer;
  font: inherit; min-height: 1.75rem; padding: .1rem .65rem;
}
.button { background: var(--ink); border-radius: 4px; color: var(--paper); display: inline-block; padding: .45rem .8rem; text-decoration: none; }
.way { margin: 0 0 1rem; }
.token { display: grid; gap: .75rem; max-width: 40rem; }
button:hover { background: var(--sunk); }
button.danger { border-color: var(--bad); color: var(--bad); font-weight: 600; }
button.plain { background: none; border-color: transparent; color: var(--soft); text-decoration: underline; text-underline-offset: 2px; }
button[disabled] { color: var(--soft); cursor: progress; }

.figures { border: 1px solid var(--line); border-radius: 6px; display: flex; flex-wrap: wrap; margin: 0 0 1.25rem; }
.figure { border-right: 1px solid var(--line); display: flex; flex: 1 1 8rem; flex-direction: column-reverse; justify-content: flex-end; padding: .5rem .9rem; }
.figure:last-child { border-right: 0; }
.figure dt { color: var(--soft); font-size: .85rem; }
.figure dt a { color: inherit; }
.figure dd { font-size: 1.4rem; font-weight: 600; line-height: 1.2; margin: 0; }
.figure.warn dd { color: var(--warn); }
.figure.bad dd { color: var(--bad); }

.first { display: grid; gap: 1.75rem; grid-template-columns: minmax(18rem, 24rem) minmax(0, 1fr); }

.waiting li { border: 1px solid var(--line); border-left: 3px solid var(--warn); border-radius: 3px; margin-bottom: .5rem; padding: .45rem .75rem; }
.clamped { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; }
.waiting .kind { display: flex; justify-content: space-between; }
.waiting .kind strong { color: var(--warn); }
.waiting .subject { font-weight: 600; }
.waiting .what { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 4; overflow: hidden; }
.waiting .ago, .waiting .next { color: var(--soft); }
.waiting pre { max-height: 7rem; }
.acts { display: flex; flex-wrap: wrap; gap: .5rem; }
.acts:not(:empty) { margin-top: .35rem; }
.act, .act label { align-items: center; display: inline-flex; flex-wrap: wrap; gap: .5rem; }
.act .refused:empty { margin-left: -.5rem; }
.act input { min-height: 1.75rem; padding: .1rem .5rem; width: 5rem; }

table { border-collapse: collapse; width: 100%; }
th, td { border-bottom: 1px solid var(--line); padding: .35rem .75rem .35rem 0; text-align: left; vertical-align: top; }
thead th { color: var(--soft); font-size: .85rem; font-weight: 500; white-space: nowrap; }
tbody th { font-weight: 500; }
th .of, td .of { display: block; font-size: .85rem; font-weight: 400; }
td.number .of { display: inline; }
.number { text-align: right; white-space: nowrap; }
tr.over { color: var(--soft); }
.agents tbody th { min-width: 11rem; }
.agents td.now { min-width: 9rem; }
.agents td:last-child { white-space: nowrap; }
.agents time { white-space: nowrap; }
.error { color: var(--bad); }
.bar { display: block; height: 4px; margin-left: auto; margin-top: 2px; width: 5rem; }
.bar .whole { fill: var(--line); }
.bar .part { fill: var(--calm); }
.bar .much { fill: var(--warn); }
.state { white-space: nowrap; }
.state::before { background: var(--soft); border-radius: 50%; content: ""; display: inline-block; height: .55rem; margin-right: .4rem; width: .55rem; }
.phase { color: var(--soft); display: block; font-size: .85rem; font-weight: 400; }
.phase::before { background: var(--soft); border-radius: 2px; content: ""; display: inline-block; height: .55rem; margin-right: .4rem; width: .55rem; }
.phase.idle::before { background: transparent; border: 1px solid var(--soft); }
.phase.initializing::before { background: #7a8794; }
.phase.planning::before { background: #6f5bd0; }
.phase.executing::before { background: #1f9d55; }
.phase.evaluating::before { background: #0f8b9a; }
.phase.adapting::before { background: #3273dc; }
.phase.waiting_input::before { background: #d98a00; }
.phase.waiting_agent::before { background: #8fa3b8; }
.phase.waiting_approval::before { background: #c2570c; }
.phase.paused::before { background: #a0772b; }
.phase.error::before { background: #d6336c; }
.phase.succeeded::before { background: #0b6b34; }
.phase.failed::before { background: #c0271d; }
.phase.cancelled::before { background: #55606b; }
.board .phase { display: inline; }
.state.good { color: var(--good); }
.state.good::before { background: var(--good); }
.state.calm { color: var(--calm); }
.state.calm::before { background: transparent; border: 2px solid var(--calm); }
.state.warn { color: var(--warn); font-weight: 600; }
.state.warn::before { background: var(--warn); border-radius: 0; }
.state.bad { color: var(--bad); }
.state.bad::before { background: var(--bad); border-radius: 0; }

.board { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fit, minmax(11rem, 1fr)); }
.board section { background: var(--sunk); border-radius: 6px; min-width: 0; padding: .6rem; }
.board li, .cards li { background: var(--paper); border: 1px solid var(--line); border-radius: 4px; margin-bottom: .4rem; padding: .4rem .5rem; }
.board li .of, .cards li .of { display: block; font-size: .85rem; }
.ways { list-style: disc; margin-top: .5rem; padding-left: 1.25rem; }

.head { align-items: flex-start; display: flex; flex-wrap: wrap; gap: .5rem 1.5rem; justify-content: space-between; }
.head.small { align-items: baseline; margin-bottom: .5rem; }
.head.small h2 { margin: 0; }
.places { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin-bottom: .6rem; }
.plots { display: grid; gap: 1.25rem 2rem; grid-template-columns: repeat(auto-fit, minmax(17rem, 1fr)); }
.plot { margin: 0; min-width: 0; }
.plot figcaption { font-weight: 500; margin-bottom: .3rem; }
.plot figcaption .of { font-weight: 400; }
.plot .axes { column-gap: .5rem; display: grid; grid-template-columns: auto minmax(0, 1fr); row-gap: .2rem; }
.plot .axes .of { font-size: .85rem; }
.plot .up { display: flex; flex-direction: column; justify-content: space-between; line-height: 1; text-align: right; }
.plot .along { display: flex; grid-column: 2; justify-content: space-between; }
.plot .few { font-size: .8rem; overflow-wrap: normal; }
.plot .few span { flex: 1; min-width: 0; text-align: center; }
.plot svg { display: block; height: 7rem; width: 100%; }
.plot rect { fill: var(--calm); }
.plot path { stroke: var(--soft); vector-effect: non-scaling-stroke; }
.plot .top-line { stroke: var(--line); stroke-dasharray: 3 3; }
.spans { display: flex; gap: 1rem; }
.spans a[aria-current] { color: var(--ink); font-weight: 600; text-decoration: none; }

@media (max-width: 1000px) {
  .first { grid-template-columns: minmax(0, 1fr); }
}
@media (max-width: 700px) {
  main { padding: .75rem .75rem 3rem; }
  .figure { border-bottom: 1px solid var(--line); flex-basis: 33%; }
  table, tbody, tr, th, td { display: block; }
  thead { clip-path: inset(50%); height: 1px; overflow: hidden; position: absolute; width: 1px; }
  tr { border-bottom: 1px solid var(--line); padding: .5rem 0; }
  th, td { border: 0; padding: .1rem 0; }
  td[data-label] { padding-left: 7rem; position: relative; text-align: left; white-space: normal; }
  td[data-label]::before { color: var(--soft); content: attr(data-label); left: 0; max-width: 6.5rem; position: absolute; }
  td[data-label] .of { display: inline; }
  .bar { margin: .5rem 0 0; }
  button, .act input { min-height: 2.25rem; }
}
@media (prefers-reduced-motion: no-preference) {
  .skip { transition: top .1s; }
}
`;
