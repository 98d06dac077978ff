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
@media (max-width: 700px) {
  .schedules tbody th, .schedules td { min-width: 0; }
  .schedules td[data-label] .of { display: block; }
}
`;
