/// <reference lib="dom" />
import { html } from "htm/preact";
import { useEffect, useState } from "preact/hooks";
import type { SettingJson } from "../api/settings-routes.ts";
import type { Me } from "./ask.ts";
import { Frame } from "./frame.ts";
import { useEvents, useVersion } from "./live.ts";
import { Loaded, More, usePages } from "./pages.ts";
import { Words } from "./words.ts";

const ORIGINS = [
  ["", "Set in the file or the environment"],
  ["file", "Set in the file"],
  ["environment", "Set in the environment"],
  ["default", "Defaults"],
  ["repositories", "What repositories may change"],
  ["all", "All"],
] as const;

/** The settings in force, which the API shows to the operator alone. */
export function SettingsView({ me }: { readonly me: Me }) {
  if (me.viewer.kind === "operator") return html`<${Settings} me=${me} />`;
  return html`<${Frame} me=${me} lost=${null}>
    <h1>Settings</h1>
    <p>Only the operator sees the settings. A repository's page says what its own <code>.github/flotilla.yml</code> changes there.</p>
  <//>`;
}

/** Every value with where it comes from. */
function Settings({ me }: { readonly me: Me }) {
  const [version, changed] = useVersion();
  const lost = useEvents("/api/events", changed, changed);
  const [wanted, setWanted] = useState(readWanted);
  // What applies is read when Flotilla starts, and reading it again would shift what a person searches.
  const pages = usePages<SettingJson>("/api/settings?limit=500", "settings", {
    version: lost === null ? 0 : version,
  });
  useEffect(() => {
    document.title = "Settings · Flotilla";
  }, []);
  const want = (next: Wanted): void => {
    setWanted(next);
    const query = new URLSearchParams(Object.entries(next).filter(([, value]) => value !== ""));
    history.replaceState(null, "", query.size === 0 ? "/settings" : `/settings?${query.toString()}`);
  };
  const found = pages.rows.filter((setting) => matches(setting, wanted));
  return html`<${Frame} me=${me} lost=${lost}>
    <h1>Settings</h1>
    <p class="lead">
      What applies in the process that serves this page. To change it, edit the file or the environment, run <code>flotilla check</code>, and restart
      Flotilla. A repository's page says what its own <code>.github/flotilla.yml</code> changes there.
    </p>
    <${Loaded} lists=${[pages]}>
      <${Filter} wanted=${wanted} want=${want} />
      <p class=${found.length === 0 ? "empty" : "of"} role="status">${countWords(found.length)}</p>
      ${found.length > 0 ? html`<${Table} settings=${found} />` : null}
      ${
        found.length > 0 || wanted.origin === "all"
          ? null
          : html`<p class="acts"><button type="button" onClick=${() => want({ ...wanted, origin: "all" })}>Look in all settings</button></p>`
      }
    <//>
    <${More} pages=${pages} what="settings" />
  <//>`;
}

/** What a person looks for. Empty = all. */
interface Wanted {
  readonly q: string;
  readonly origin: string;
}

function readWanted(): Wanted {
  const query = new URLSearchParams(location.search);
  const origin = ORIGINS.find(([value]) => value === query.get("origin"))?.[0] ?? "";
  return { q: query.get("q") ?? "", origin };
}

function matches(setting: SettingJson, { q, origin }: Wanted): boolean {
  const { key, value, about, where, source } = setting;
  const isThere =
    origin === "all" ||
    (origin === "" && ["file", "environment"].includes(source)) ||
    (origin === "repositories" ? setting.repository_may : source === origin);
  const text = [key, value, about, where].join(" ").toLowerCase();
  return (
    isThere &&
    q
      .toLowerCase()
      .split(/\s+/)
      .every((word) => text.includes(word))
  );
}

function countWords(count: number): string {
  if (count === 0) return "No setting matches.";
  return count === 1 ? "1 setting" : `${count} settings`;
}

type Input = { readonly currentTarget: HTMLInputElement | HTMLSelectElement };

function Filter({ wanted, want }: { readonly wanted: Wanted; readonly want: (next: Wanted) => void }) {
  return html`<form class="filter" role="search" onSubmit=${(event: Event) => event.preventDefault()}>
    <label class="words">Search <input type="search" maxlength="200" placeholder="Key, value or meaning" value=${wanted.q} onInput=${({ currentTarget }: Input) => want({ ...wanted, q: currentTarget.value })} /></label>
    <label>Show <select value=${wanted.origin} onChange=${({ currentTarget }: Input) => want({ ...wanted, origin: currentTarget.value })}>
      ${ORIGINS.map(([value, name]) => html`<option key=${value} value=${value}>${name}</option>`)}
    </select></label>
  </form>`;
}

function Table({ settings }: { readonly settings: readonly SettingJson[] }) {
  return html`<table class="rows settings">
    <thead>
      <tr><th scope="col">Setting</th><th scope="col">Value</th><th scope="col">From</th></tr>
    </thead>
    <tbody>
      ${settings.map((setting) => html`<${Row} key=${setting.key} setting=${setting} />`)}
    </tbody>
  </table>`;
}

function Row({ setting }: { readonly setting: SettingJson }) {
  const { key, value, source, where, hidden, about } = setting;
  return html`<tr>
    <th scope="row">
      <code>${key}</code>
      ${about === null ? null : html`<span class="of"><${Words} text=${about} /></span>`}
      ${setting.repository_may ? html`<span class="of">A repository's own file may change it there.</span>` : null}
    </th>
    <td data-label="Value">${value === null ? html`<span class="none">${hidden ? "set, not shown" : "not set"}</span>` : html`<code>${value}</code>`}</td>
    <td data-label="From">${where === null ? ORIGIN_WORDS[source] : html`<code>${where}</code>`}</td>
  </tr>`;
}

const ORIGIN_WORDS: Readonly<Record<SettingJson["source"], string>> = {
  default: "default",
  file: "configuration file",
  environment: "environment",
  "not set": "–",
};
