/// <reference lib="dom" />
import { html } from "htm/preact";
import { useEffect } from "preact/hooks";
import type { ScheduleJson } from "../api/schedule-json.ts";
import type { Me } from "./ask.ts";
import { Frame } from "./frame.ts";
import { useEvents, useRead, useVersion } from "./live.ts";
import { Since } from "./moments.ts";
import { useAct } from "./use-act.ts";
import { Words } from "./words.ts";

/** Work that comes again: when each schedule comes next, what came of the last time, and a button that begins it now. */
export function SchedulesView({ me }: { readonly me: Me }) {
  const [version, changed] = useVersion();
  const lost = useEvents("/api/events", changed, changed);
  const { body, refused } = useRead<{ readonly schedules: readonly ScheduleJson[] }>(
    "/api/schedules",
    version,
  );
  useEffect(() => {
    document.title = "Schedules · Flotilla";
  }, []);
  return html`<${Frame} me=${me} lost=${lost}>
    <h1>Schedules</h1>
    ${
      body !== null
        ? html`<${Schedules} schedules=${body.schedules} site=${me.site} changed=${changed} />`
        : html`<p class="empty" role="status">${refused === null ? "Loading…" : refused.message}</p>`
    }
  <//>`;
}

interface SchedulesProps {
  readonly schedules: readonly ScheduleJson[];
  readonly site: string;
  readonly changed: () => void;
}

function Schedules({ schedules, site, changed }: SchedulesProps) {
  if (schedules.length === 0)
    return html`<p class="empty">No schedule is configured for a repository that you can see. To add one, write it under <code>schedules</code> in <code>config.yaml</code>.</p>`;
  return html`
    <p class="lead">At each time, Flotilla opens an issue and starts an agent on it, unless the last issue is still open. Times are shown in your time zone, ${zoneOf(new Date())}.</p>
    <table class="rows schedules">
      <thead>
        <tr>
          <th scope="col">Schedule</th>
          <th scope="col">When</th>
          <th scope="col">Next</th>
          <th scope="col">Last time</th>
          <th scope="col"><span class="unseen">Actions</span></th>
        </tr>
      </thead>
      <tbody>
        ${schedules.map((one) => html`<${Row} key=${one.name} schedule=${one} site=${site} changed=${changed} />`)}
      </tbody>
    </table>
  `;
}

interface RowProps {
  readonly schedule: ScheduleJson;
  readonly site: string;
  readonly changed: () => void;
}

function Row({ schedule, site, changed }: RowProps) {
  const { name, repository, role, title, cron, words, time_zone: zone, next, paused } = schedule;
  return html`<tr>
    <th scope="row">
      ${name} <span class="of">${title}, by ${role}</span>
      <span class="of"><a href=${`/repositories/${repository}`}>${repository}</a></span>
    </th>
    <td data-label="When">
      ${words === null ? html`<code>${cron}</code>` : words}
      <span class="of">${words === null ? "" : html`<code>${cron}</code>, `}${zone}</span>
    </td>
    <td data-label="Next">
      ${next === null ? "never" : html`<${Next} at=${next} zone=${zone} />`}
      ${paused ? html`<span class="of">paused: it begins when the pause ends</span>` : null}
    </td>
    <td data-label="Last time"><${Last} schedule=${schedule} site=${site} /></td>
    <td>${schedule.known ? html`<${RunNow} name=${name} repository=${repository} site=${site} changed=${changed} />` : null}</td>
  </tr>`;
}

/** The next time as the viewer's clock shows it, and below it as clocks show it where the schedule's times hold. */
function Next({ at, zone }: { readonly at: string; readonly zone: string }) {
  const date = new Date(at);
  const here = date.toLocaleString(undefined, DAY_AND_TIME);
  const there = date.toLocaleString(undefined, { ...DAY_AND_TIME, timeZone: zone });
  return html`<time datetime=${at}>${here}</time>
    ${here === there ? null : html`<span class="of">${there} in ${zone}</span>`}`;
}

const DAY_AND_TIME = {
  weekday: "short",
  month: "short",
  day: "numeric",
  hour: "2-digit",
  minute: "2-digit",
} as const;

function zoneOf(date: Date): string {
  const { timeZone } = new Intl.DateTimeFormat(undefined, {}).resolvedOptions();
  const short = date.toLocaleTimeString(undefined, { timeZoneName: "short" }).split(" ").at(-1) ?? "";
  return short === timeZone ? timeZone : `${timeZone} (${short})`;
}

const TONES: Readonly<Record<string, string>> = {
  failed: "bad",
  skipped: "warn",
  opened: "good",
  waits: "calm",
};

function Last({ schedule, site }: { readonly schedule: ScheduleJson; readonly site: string }) {
  const { repository, last, outcome, issue, note } = schedule;
  if (last === null || outcome === null) return note ?? "not yet";
  const link = issue === null ? null : html`<a href=${`${site}/${repository}/issues/${issue}`}>#${issue}</a>`;
  return html`<span class=${`state ${TONES[outcome] ?? "quiet"}`}>${outcome === "waits" ? "begins" : outcome}</span> ${outcome === "failed" ? html`<a href="/failures">see Failures</a>` : link}
    <span class="of"><${Since} at=${last} /> ago${outcome === "opened" || note === null ? "" : html`: <${Words} text=${note} />`}</span>`;
}

interface RunNowProps {
  readonly name: string;
  readonly repository: string;
  readonly site: string;
  readonly changed: () => void;
}

function RunNow({ name, repository, site, changed }: RunNowProps) {
  const { busy, refused, run } = useAct(changed);
  const go = (): void =>
    void run({
      path: `/api/repositories/${encodeURIComponent(repository)}/run-schedule`,
      body: { schedule: name },
      said: ({ issue, skipped }) => {
        if (typeof issue === "number")
          return {
            text: `${name} began:`,
            link: { href: `${site}/${repository}/issues/${issue}`, text: `${repository}#${issue}` },
          };
        return {
          text: typeof skipped === "string" ? `${name} opened no issue: ${skipped}.` : `${name} begins.`,
        };
      },
    });
  return html`<span class="act">
    <button type="button" aria-disabled=${busy} onClick=${go}>Run now<span class="unseen"> ${name}</span></button>
    <span role="status" class="refused"><${Words} text=${refused} /></span>
  </span>`;
}
