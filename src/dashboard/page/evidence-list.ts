import { html } from "htm/preact";
import type { ComponentChildren } from "preact";
import type { AgentEvidence } from "../api/agent-evidence.ts";
import { Moment, took } from "./moments.ts";
import { Words } from "./words.ts";

type Evidence = AgentEvidence["evidence"][number];
type Check = AgentEvidence["checks"][number];
type Verdict = AgentEvidence["verdicts"][number];

/** What Flotilla found out itself: commands and their exit codes, checks of the commit, and reviews; the latest first. */
export function EvidenceList({
  evidence,
  repository,
}: {
  readonly evidence: AgentEvidence;
  readonly repository: string;
}) {
  const { checks, verdicts, commit } = evidence;
  const [newest] = evidence.evidence;
  const present = evidence.evidence.filter(({ claim }) => claim === newest?.claim);
  const earlier = evidence.evidence.filter(({ claim }) => claim !== newest?.claim);
  if (!hasEvidence(evidence))
    return html`<p class="empty">Flotilla has run no command for this work, and there is no check or review yet.</p>`;
  const red = checks.filter(({ state }) => state === "red");
  const green = checks.filter(({ state }) => state === "green");
  const shown = verdicts.filter(({ current }, index) => current || index === 0);
  const old = verdicts.filter((verdict) => !shown.includes(verdict));
  return html`
    <${Rows} rows=${present} />
    <${Fold} count=${earlier.length} what="earlier result"><${Rows} rows=${earlier} /><//>
    ${
      checks.length === 0
        ? null
        : html`<h3>Checks of <${Commit} commit=${commit ?? ""} repository=${repository} /></h3>
          <${Checks} checks=${green.length > FEW ? red : [...red, ...green]} />
          <${Fold} count=${green.length > FEW ? green.length : 0} what="successful check"><${Checks} checks=${green} /><//>`
    }
    ${
      verdicts.length === 0
        ? null
        : html`<h3>Reviews</h3>
          <${Reviews} verdicts=${shown} repository=${repository} />
          <${Fold} count=${old.length} what="earlier review"><${Reviews} verdicts=${old} repository=${repository} /><//>`
    }
  `;
}

export function hasEvidence({ evidence, checks, verdicts }: AgentEvidence): boolean {
  return evidence.length + checks.length + verdicts.length > 0;
}

/** Successful checks that are listed one by one. */
const FEW = 3;

interface FoldProps {
  readonly count: number;
  /** The name of one of them. */
  readonly what: string;
  readonly children?: ComponentChildren;
}

/** A fold over rows that few people need; nothing where there are none. */
function Fold({ count, what, children }: FoldProps) {
  if (count === 0) return null;
  return html`<details>
    <summary>${count} ${what}${count === 1 ? "" : "s"}</summary>
    ${children}
  </details>`;
}

function Checks({ checks }: { readonly checks: readonly Check[] }) {
  if (checks.length === 0) return null;
  return html`<ul class="evidence">${checks.map((check, index) => html`<li key=${index}><${CheckLine} check=${check} /></li>`)}</ul>`;
}

function Reviews({
  verdicts,
  repository,
}: {
  readonly verdicts: readonly Verdict[];
  readonly repository: string;
}) {
  return html`<ul class="evidence">${verdicts.map((verdict) => html`<li key=${verdict.id}><${Review} verdict=${verdict} repository=${repository} /></li>`)}</ul>`;
}

function Rows({ rows }: { readonly rows: readonly Evidence[] }) {
  if (rows.length === 0) return null;
  return html`<ul class="evidence">${rows.map((row) => html`<li key=${row.id}>${lineOf(row)}</li>`)}</ul>`;
}

function lineOf(row: Evidence) {
  switch (row.kind) {
    case "setup":
    case "command":
      return html`<${CommandLine} row=${row} />`;
    case "missing":
      return html`<p><span class="status failure">missing</span> <${Words} text=${row.missing ?? ""} /> <span class="of"><${Moment} at=${row.at} /></span></p>`;
    case "evaluation":
      return html`<p>
        <span class=${`status ${row.holds ? "good" : "failure"}`}>${row.holds ? "convincing" : "not convincing"}</span>
        ${" "}An evaluator looked at it: <${Words} text=${row.output} />
      </p>`;
  }
}

/** A command that Flotilla ran itself. */
function CommandLine({ row }: { readonly row: Evidence }) {
  const end = row.timed_out
    ? "timed out"
    : row.exit_code === null
      ? row.holds
        ? "reused"
        : "ended by a signal"
      : `exit ${row.exit_code}`;
  return html`<details>
    <summary>
      <span class=${`status ${row.holds ? "good" : "failure"}`}>${end}</span> <code>${row.command}</code>
      ${" "}<span class="of">${[row.kind === "setup" ? "setup" : "", row.duration_ms === null ? "" : took(row.duration_ms), row.commit?.slice(0, 7) ?? ""].filter((word) => word !== "").join(", ")}</span>
    </summary>
    ${row.output.trim() === "" ? html`<p class="empty">It had no output.</p>` : html`<pre tabindex="0" aria-label="Output">${row.output}</pre>`}
  </details>`;
}

function CheckLine({ check }: { readonly check: Check }) {
  const isGood = check.state === "green";
  const words = html`<span class=${`status ${isGood ? "good" : "failure"}`}>${check.conclusion}</span> ${check.name}
    ${check.excused ? html` <span class="of">the base branch fails in the same way</span>` : null}`;
  if (check.log === "") return html`<p>${words}</p>`;
  return html`<details>
    <summary>${words}</summary>
    <pre tabindex="0" aria-label="Log">${check.log}</pre>
  </details>`;
}

function Review({ verdict, repository }: { readonly verdict: Verdict; readonly repository: string }) {
  const { approves, reviewer, person, current, commit, body, comments, ran } = verdict;
  return html`<details>
    <summary>
      <span class=${`status ${approves ? "good" : "failure"}`}>${approves ? "approved" : "changes requested"}</span>
      ${" "}${person ? `@${reviewer}` : reviewer} <span class="of">at ${commit.slice(0, 7)}${current ? "" : ", which no longer counts"}</span>
    </summary>
    <p class="body">${body}</p>
    ${
      comments.length === 0
        ? null
        : html`<ul>${comments.map((comment, index) => html`<li key=${index}><code>${comment.path}${comment.line === null ? "" : `:${comment.line}`}</code> ${comment.body}</li>`)}</ul>`
    }
    ${ran.length === 0 ? null : html`<p class="of">It says that it ran: ${ran.map((command, index) => html`${index === 0 ? "" : ", "}<code>${command}</code>`)}</p>`}
    <p class="of">Commit <${Commit} commit=${commit} repository=${repository} /></p>
  </details>`;
}

/** A short commit id that links to GitHub; `repository` is its address. */
function Commit({ commit, repository }: { readonly commit: string; readonly repository: string }) {
  return html`<a href=${`${repository}/commit/${commit}`}><code>${commit.slice(0, 7)}</code></a>`;
}
