/// <reference lib="dom" />
import { html } from "htm/preact";
import { useEffect, useState } from "preact/hooks";
import type { PersonsActJson } from "../api/people-routes.ts";
import type { Me } from "./ask.ts";
import { Frame } from "./frame.ts";
import { useEvents, useRead, useVersion } from "./live.ts";
import { Moment } from "./moments.ts";
import { Loaded, More, usePages } from "./pages.ts";
import { Words } from "./words.ts";

/** Which acts are shown. Empty = all. */
interface Wanted {
  readonly by: string;
  readonly repository: string;
  readonly kind: string;
}

const KEYS = ["by", "repository", "kind"] as const;

/** The kinds of the API in words; a test compares the two. */
export const KINDS: Readonly<Record<PersonsActJson["kind"], string>> = {
  start: "Starts",
  pause: "Pauses",
  resume: "Resumes",
  cancel: "Cancels",
  approve: "Approvals of calls",
  deny: "Denials of calls",
  answer: "Answers",
  message: "Messages to agents",
  complete: "Work declared complete",
  set: "Changed attributes",
  limit: "Raised limits",
  review: "Reviews",
  merge: "Merges",
  close: "Closed pull requests",
  plan: "Goals and sprints",
  retry: "Retries of failures",
  schedule: "Schedules begun by hand",
};

/** What people did, the latest first. What is looked for stands in the address, so that a link leads to the same. */
export function PeopleView({ me }: { readonly me: Me }) {
  const [version, changed] = useVersion();
  const lost = useEvents("/api/events", changed, changed);
  const [wanted, setWanted] = useState(readWanted);
  const query = queryOf(wanted);
  const pages = usePages<PersonsActJson>(`/api/acts${query}`, "acts", { version });
  const { body: choices } = useRead<{ readonly repositories: readonly string[] }>(
    "/api/agent-search?limit=1",
    version,
  );
  useEffect(() => {
    document.title = "People · Flotilla";
    history.replaceState(null, "", `/people${query}`);
  }, [query]);
  return html`<${Frame} me=${me} lost=${lost}>
    <h1>People</h1>
    <p class="lead">What people did with Flotilla, on GitHub, here and on the command line, in the repositories that you can see.</p>
    <${Filter} key=${wanted.by} wanted=${wanted} want=${setWanted} repositories=${choices?.repositories ?? []} />
    <section aria-labelledby="acts">
      <h2 id="acts">Who did what</h2>
      <${Loaded} lists=${[pages]}>
        ${
          pages.rows.length === 0
            ? html`<p class="empty" role="status">${query === "" ? "Nobody has done anything yet." : "Nothing matches."}</p>`
            : html`<${Acts} acts=${pages.rows} site=${me.site} want=${(by: string) => setWanted({ ...wanted, by })} />`
        }
      <//>
      <${More} pages=${pages} what="acts" />
    </section>
  <//>`;
}

function readWanted(): Wanted {
  const query = new URLSearchParams(location.search);
  const kind = query.get("kind") ?? "";
  return {
    by: query.get("by")?.slice(0, 100) ?? "",
    repository: query.get("repository") ?? "",
    kind: Object.hasOwn(KINDS, kind) ? kind : "",
  };
}

function queryOf(wanted: Wanted): string {
  const query = new URLSearchParams();
  for (const key of KEYS) if (wanted[key] !== "") query.set(key, wanted[key]);
  return query.size === 0 ? "" : `?${query.toString()}`;
}

interface FilterProps {
  readonly wanted: Wanted;
  readonly want: (next: Wanted) => void;
  readonly repositories: readonly string[];
}

type Input = { readonly currentTarget: HTMLInputElement | HTMLSelectElement };

function Filter({ wanted, want, repositories }: FilterProps) {
  const [by, setBy] = useState(wanted.by);
  const look = (next: Partial<Wanted>): void => want({ ...wanted, by: personOf(by), ...next });
  const submit = (event: Event): void => {
    event.preventDefault();
    look({});
  };
  const names =
    wanted.repository === "" || repositories.includes(wanted.repository)
      ? repositories
      : [...repositories, wanted.repository];
  return html`<form class="filter" role="search" onSubmit=${submit}>
    <label>Person <input type="search" maxlength="100" placeholder="A login on GitHub" value=${by} onInput=${({ currentTarget }: Input) => setBy(currentTarget.value)} onChange=${() => look({})} /></label>
    <label>Repository <select value=${wanted.repository} onChange=${({ currentTarget }: Input) => look({ repository: currentTarget.value })}>
      <option value="">All</option>
      ${names.map((name) => html`<option key=${name} value=${name}>${name}</option>`)}
    </select></label>
    <label>What <select value=${wanted.kind} onChange=${({ currentTarget }: Input) => look({ kind: currentTarget.value })}>
      <option value="">All</option>
      ${Object.entries(KINDS).map(([kind, words]) => html`<option key=${kind} value=${kind}>${words}</option>`)}
    </select></label>
  </form>`;
}

/** People write logins with and without the sign. */
function personOf(typed: string): string {
  return typed.trim().replace(/^@/, "");
}

interface ActsProps {
  readonly acts: readonly PersonsActJson[];
  readonly site: string;
  /** Shows the acts of one person alone. */
  readonly want: (by: string) => void;
}

function Acts({ acts, site, want }: ActsProps) {
  return html`<table class="rows people">
    <thead>
      <tr><th scope="col">When</th><th scope="col">Who</th><th scope="col">What</th><th scope="col">Where</th></tr>
    </thead>
    <tbody>
      ${acts.map((act, index) => html`<${Row} key=${index} act=${act} site=${site} want=${want} />`)}
    </tbody>
  </table>`;
}

const VIA = { github: "GitHub", dashboard: "dashboard or API", "command line": "command line" } as const;

interface RowProps {
  readonly act: PersonsActJson;
  readonly site: string;
  readonly want: (by: string) => void;
}

function Row({ act, site, want }: RowProps) {
  const { at, by, what, detail, via } = act;
  const who = by.startsWith("operator:") ? "the operator" : `@${by}`;
  return html`<tr>
    <td data-label="When"><${Moment} at=${at} /></td>
    <td data-label="Who"><button type="button" class="plain" title=${by} onClick=${() => want(by)}>${who}<span class="unseen">: show only what this person did</span></button></td>
    <td data-label="What">
      <${Words} text=${what} /> <${About} act=${act} site=${site} />
      ${detail === null ? null : html`<span class="of"><${Words} text=${detail} /></span>`}
    </td>
    <td data-label="Where">${via === null ? "–" : VIA[via]}</td>
  </tr>`;
}

/** The agent and the issue, or the repository, that the act was about. */
function About({ act: { agent, repository, issue }, site }: Pick<RowProps, "act" | "site">) {
  const place =
    repository === null
      ? null
      : issue === null
        ? html`<a href=${`/repositories/${repository}`}>${repository}</a>`
        : html`<a href=${`${site}/${repository}/issues/${issue}`}>${repository}#${issue}</a>`;
  if (agent === null) return place ?? "Flotilla";
  return html`<a href=${`/agents/${encodeURIComponent(agent)}`}>${agent.replace(/^.*:/, "")}</a> for ${place}`;
}
