/** The part of the style sheet for failures, schedules, the settings in force, and what people did. */
export const RECORDS_STYLE = `
.lead { color: var(--soft); margin: 0 0 1rem; max-width: 60rem; }
.failures li { border: 1px solid var(--line); border-left: 3px solid var(--bad); border-radius: 3px; margin-bottom: .5rem; padding: .45rem .75rem; }
.failures .head.small { margin-bottom: .15rem; }
.failures .next { color: var(--soft); }
.failures details { margin-top: .25rem; }
.schedules tbody th { min-width: 12rem; }
.schedules td { min-width: 8rem; }
.schedules td .act { white-space: nowrap; }
.schedules td .refused { white-space: normal; }
.people td:first-child, .people td:last-child { white-space: nowrap; }
.people button.plain { color: var(--link); min-height: 0; padding: 0; text-align: left; }
.settings tbody th { min-width: 18rem; width: 50%; }
.settings .none { color: var(--soft); }
@media (max-width: 700px) {
  .schedules tbody th, .schedules td { min-width: 0; }
  .schedules td[data-label] .of, .people td[data-label] .of { display: block; }
  .people tr { align-items: baseline; display: grid; gap: 0 .75rem; grid-template-columns: auto minmax(0, 1fr) auto; }
  .people td[data-label] { padding-left: 0; }
  .people td[data-label]::before { display: none; }
  .people td[data-label="What"] { grid-column: 1 / -1; grid-row: 2; }
  .people td[data-label="When"], .people td[data-label="Where"] { color: var(--soft); }
  .people button.plain { min-height: 1.5rem; }
  .settings tbody th { min-width: 0; width: auto; }
}
`;
