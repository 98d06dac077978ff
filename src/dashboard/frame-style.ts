/** The part of the style sheet for what stands on every page: the header with its navigation, and the lost connection. */
export const FRAME_STYLE = `
.top {
  align-items: center; background: var(--sunk); border-bottom: 1px solid var(--line); display: flex; flex-wrap: wrap;
  gap: .25rem 1.25rem; padding: .5rem 1.25rem;
}
.top .brand { color: var(--ink); font-weight: 700; text-decoration: none; }
.top .menu { display: none; }
.top .places { display: contents; }
.top nav { display: flex; flex: 1 1 auto; flex-wrap: wrap; gap: .1rem 1rem; margin: 0; }
.top nav a { color: var(--soft); padding: .15rem 0; text-decoration: none; }
.top nav a:hover { color: var(--ink); text-decoration: underline; }
.top nav a[aria-current] { color: var(--ink); font-weight: 600; box-shadow: 0 2px 0 var(--link); }
.top .line { color: var(--soft); order: 1; }
.top .line::before { background: var(--good); border-radius: 50%; content: ""; display: inline-block; height: .5rem; margin-right: .4rem; width: .5rem; }
.top .lost { color: var(--bad); font-weight: 600; }
.top .lost::before { background: var(--bad); border-radius: 0; }
.top .who { align-items: center; color: var(--soft); display: flex; order: 2; flex-wrap: wrap; gap: .25rem .6rem; }
.top .who select { background: transparent; border-color: var(--line); color: var(--soft); min-height: 1.75rem; padding: .05rem .25rem; width: auto; }
.top .who .refused:empty { display: none; }
/* What was read before the connection was lost is no longer sure. */
.away .figure dd, .away .figure.warn dd, .away .figure.bad dd, .away td, .away .state, .away .board li { color: var(--soft); }
.away .figure, .away .board li { background: var(--sunk); }
.first-start { border: 1px solid var(--calm); border-radius: 6px; margin: 0 0 1.25rem; padding: .6rem .9rem; }
.steps { margin-top: .4rem; }
.steps li { align-items: flex-start; display: flex; gap: .6rem; padding: .3rem 0; }
.steps .tick { border: 1px solid var(--soft); border-radius: 50%; flex: none; font-weight: 700; height: 1.3rem; line-height: 1.2rem; text-align: center; width: 1.3rem; }
.steps .done .tick { background: var(--good); border-color: var(--good); color: var(--paper); }
.steps [aria-current] p:first-child { font-weight: 600; }
@media (max-width: 900px) {
  .top { gap: .25rem .75rem; padding: .4rem .75rem; }
  .top .menu { display: inline-block; min-height: 2.25rem; }
  .top .line { margin-left: auto; order: 0; }
  .top .places { display: none; flex-basis: 100%; }
  .top .places.open { display: block; }
  .top nav { display: grid; gap: 0 .75rem; grid-template-columns: repeat(auto-fill, minmax(6.5rem, 1fr)); }
  .top nav a { padding: .55rem 0; }
  .top nav a[aria-current] { box-shadow: inset 3px 0 0 var(--link); padding-left: .5rem; }
  .top .who { border-top: 1px solid var(--line); margin-top: .35rem; padding-top: .35rem; }
  .top .who a, .top .who button, .top .who select { min-height: 2.25rem; }
}
`;
