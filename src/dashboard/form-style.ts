/** The part of the style sheet for what people act with: the inbox, its forms, and what is said after an act. */
export const FORM_STYLE = `
textarea, select {
  background: var(--paper); border: 1px solid var(--soft); border-radius: 4px; color: inherit; font: inherit;
  padding: .35rem .5rem; width: 100%;
}
textarea { display: block; resize: vertical; }
button.first-choice { background: var(--ink); border-color: var(--ink); color: var(--paper); }
button.first-choice:hover { opacity: .85; }
button .of { font-size: .85em; }
button.first-choice .of { color: inherit; opacity: .8; }
button[aria-disabled="true"] { cursor: not-allowed; opacity: .6; }
.waiting li:focus { outline: 2px solid var(--link); outline-offset: 1px; }
.empty:focus { outline: none; }
.waiting .what { white-space: pre-line; }
.item-acts { margin-top: .35rem; }
.item-acts .acts { margin-top: .35rem; }
.item-acts .button { padding: .2rem .65rem; }
.item-acts .refused:empty, .start .refused:empty, .message .refused:empty { display: none; }
.note { color: var(--soft); display: block; font-size: .85rem; margin-top: .35rem; }
.note textarea { color: var(--ink); font-size: 1rem; margin-top: .15rem; }
.number-field { align-items: center; color: var(--soft); display: flex; flex-wrap: wrap; font-size: .85rem; gap: .25rem .5rem; }
.number-field input { color: var(--ink); font-size: 1rem; min-height: 1.75rem; padding: .1rem .5rem; width: 7rem; }
.start-work { border: 1px solid var(--line); border-radius: 6px; margin: 0 0 1.25rem; padding: .35rem .9rem; }
.start-work summary { font-weight: 600; }
.start { display: grid; gap: .6rem; max-width: 40rem; padding: .5rem 0; }
.start label { color: var(--soft); display: block; font-size: .85rem; }
.start input[type="text"], .start select, .start textarea { color: var(--ink); display: block; font-size: 1rem; margin-top: .15rem; width: 100%; }
.start .pair { display: grid; gap: .6rem; grid-template-columns: repeat(auto-fit, minmax(12rem, 1fr)); }
.start fieldset { border: 0; display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin: 0; padding: 0; }
.start legend { color: var(--soft); font-size: .85rem; padding: 0; }
.start .choice { align-items: center; color: var(--ink); display: inline-flex; font-size: 1rem; gap: .4rem; }
.start .choice input { margin: 0; }
.filter { display: flex; flex-wrap: wrap; gap: .6rem .9rem; margin-bottom: 1rem; }
.filter label { color: var(--soft); flex: 1 1 9rem; font-size: .85rem; min-width: 0; }
.filter .words { flex: 3 1 17rem; }
.filter input, .filter select { color: var(--ink); display: block; font-size: 1rem; margin-top: .15rem; min-height: 2.1rem; padding: .25rem .5rem; width: 100%; }
.filter p { flex-basis: 100%; }
.outcome {
  align-items: center; background: var(--ink); bottom: 0; color: var(--paper); display: flex; flex-wrap: wrap;
  gap: .5rem 1rem; justify-content: space-between; left: 0; padding: .6rem 1.25rem; position: fixed; right: 0; z-index: 2;
}
.outcome.nothing { clip-path: inset(50%); height: 1px; overflow: hidden; padding: 0; width: 1px; }
.outcome .acts { margin: 0; }
.outcome a { color: inherit; }
.outcome .refused { color: inherit; font-weight: 600; }
.outcome button { background: transparent; border-color: currentColor; color: inherit; }
.outcome button.plain { border-color: transparent; }
.outcome :focus-visible { outline-color: currentColor; }
.agents .pull { font-size: .85rem; font-weight: 400; margin-left: .25rem; white-space: nowrap; }
/* Below this width the agents' table would be wider than the place beside the waiting list. */
@media (max-width: 1250px) {
  .first { grid-template-columns: minmax(0, 1fr); }
}
@media (max-width: 700px) {
  .agents tr { display: grid; gap: .15rem .75rem; grid-template-columns: repeat(3, minmax(0, 1fr)); }
  .agents tbody th, .agents td.now { grid-column: 1 / -1; min-width: 0; }
  .agents td[data-label="State"] { grid-column: span 2; }
  .agents td.none, .agents td.now::before { display: none !important; }
  .agents td[data-label] { padding-left: 0; }
  .agents td[data-label]::before { display: block; font-size: .8rem; font-weight: 400; max-width: none; position: static; }
  .agents td.number { white-space: normal; }
  .item-acts .button { padding: .4rem .65rem; }
  .number-field input, select { min-height: 2.25rem; }
  .start .choice { min-height: 2.25rem; }
}
`;
