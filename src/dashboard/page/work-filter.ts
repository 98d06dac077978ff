/// <reference lib="dom" />
import { html } from "htm/preact";
import { useEffect, useRef, useState } from "preact/hooks";

/** What a person looks for among the agents. Empty = all. */
export interface Wanted {
  readonly q: string;
  readonly state: string;
  readonly repository: string;
  readonly role: string;
  readonly order: string;
}

/** What is looked for where the address says nothing. */
const USUAL: Wanted = { q: "", state: "live", repository: "", role: "", order: "latest" };

const STATES = [
  ["live", "Not ended"],
  ["ACTIVE", "Working"],
  ["SLEEPING", "Sleeping"],
  ["ESCALATED", "Needs a person"],
  ["CREATED", "About to start"],
  ["ended", "Ended"],
  ["COMPLETED", "Completed"],
  ["FAILED", "Failed"],
  ["CANCELLED", "Cancelled"],
  ["any", "All"],
] as const;

const ORDERS = [
  ["latest", "Newest first"],
  ["oldest", "Oldest first"],
  ["costliest", "Most expensive first"],
] as const;

/** A person pauses this long before what they typed is looked for. */
const TYPED_MS = 250;

const KEYS = ["q", "state", "repository", "role", "order"] as const;

/** Reads what an address asks for; what no choice offers counts as left out. */
export function readWanted(search: string): Wanted {
  const query = new URLSearchParams(search);
  const known = (key: "state" | "order", choices: readonly (readonly [string, string])[]): string =>
    choices.find(([value]) => value === query.get(key))?.[0] ?? USUAL[key];
  return {
    q: query.get("q")?.slice(0, 200) ?? "",
    state: known("state", STATES),
    repository: query.get("repository") ?? "",
    role: query.get("role") ?? "",
    order: known("order", ORDERS),
  };
}

/** Returns a path with what is looked for, as far as it is not the usual. */
export function pathOf(path: string, wanted: Wanted, first = ""): string {
  const query = new URLSearchParams(first);
  for (const key of KEYS) if (wanted[key] !== USUAL[key]) query.set(key, wanted[key]);
  return query.size === 0 ? path : `${path}?${query.toString()}`;
}

type Input = { readonly currentTarget: HTMLInputElement | HTMLSelectElement };

interface WorkFilterProps {
  readonly wanted: Wanted;
  readonly want: (next: Wanted) => void;
  readonly repositories: readonly string[];
  readonly roles: readonly string[];
}

/** The fields of the search. */
export function WorkFilter({ wanted, want, repositories, roles }: WorkFilterProps) {
  const [typed, setTyped] = useState(wanted.q);
  const timer = useRef<number | undefined>(undefined);
  const asked = useRef(wanted.q);
  // What is looked for may be cleared elsewhere. What was typed since this field asked stays.
  useEffect(() => {
    if (wanted.q !== asked.current) setTyped(wanted.q);
    asked.current = wanted.q;
  }, [wanted.q]);
  const ask = (next: Wanted): void => {
    window.clearTimeout(timer.current);
    asked.current = next.q;
    want(next);
  };
  const look = (q: string): void => ask({ ...wanted, q });
  const type = ({ currentTarget: { value } }: Input): void => {
    setTyped(value);
    window.clearTimeout(timer.current);
    timer.current = window.setTimeout(() => look(value.trim()), TYPED_MS);
  };
  const submit = (event: Event): void => {
    event.preventDefault();
    look(typed.trim());
  };
  const choice = (key: "state" | "repository" | "role" | "order") => ({
    value: wanted[key],
    onChange: ({ currentTarget: { value } }: Input) => ask({ ...wanted, q: typed.trim(), [key]: value }),
  });
  return html`<form class="filter" role="search" onSubmit=${submit}>
    <label class="words">Search <input type="search" maxlength="200" placeholder="Issue, title, role, repository or person" value=${typed} onInput=${type} /></label>
    <label>State <select ...${choice("state")}><${Options} choices=${STATES} /></select></label>
    <label>Repository <select ...${choice("repository")}><${Options} choices=${[["", "All"], ...named(repositories, wanted.repository)]} /></select></label>
    <label>Role <select ...${choice("role")}><${Options} choices=${[["", "All"], ...named(roles, wanted.role)]} /></select></label>
    <label>Order <select ...${choice("order")}><${Options} choices=${ORDERS} /></select></label>
    ${wanted.order === "costliest" ? html`<p class="of">Of the latest 2,000 agents.</p>` : null}
  </form>`;
}

/** The names that can be chosen, and what an address has chosen before they were read. */
function named(names: readonly string[], chosen: string): readonly (readonly [string, string])[] {
  const all = chosen === "" || names.includes(chosen) ? names : [...names, chosen];
  return all.map((name) => [name, name] as const);
}

function Options({ choices }: { readonly choices: readonly (readonly [string, string])[] }) {
  return choices.map(([value, name]) => html`<option key=${value} value=${value}>${name}</option>`);
}
