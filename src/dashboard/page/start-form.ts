/// <reference lib="dom" />
import { html } from "htm/preact";
import { useState } from "preact/hooks";
import { useAct } from "./use-act.ts";
import { Words } from "./words.ts";

/** The issue that an address asks to start work on; each part empty where it names none. */
export interface StartOn {
  readonly repository: string;
  readonly issue: string;
}

/** Reads `?start=owner/name#12`, in which each part may be missing; null where the address asks for no start. */
export function readStart(search: string): StartOn | null {
  const asked = new URLSearchParams(search).get("start");
  if (asked === null) return null;
  const [repository = "", issue = ""] = asked.split("#");
  return { repository, issue: /^\d{1,9}$/.test(issue) ? issue : "" };
}

interface StartFormProps {
  readonly on: StartOn | null;
  /** Full names. */
  readonly repositories: readonly string[];
  readonly roles: readonly { readonly name: string; readonly description: string }[];
  readonly changed: () => void;
}

type Input = { readonly currentTarget: HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement };

const EMPTY = { issue: "", title: "", text: "", words: "" };

/** Starts an agent on an issue that is there, or on one that it opens first. */
export function StartForm({ on, repositories, roles, changed }: StartFormProps) {
  const [isNew, setIsNew] = useState(false);
  const [repository, setRepository] = useState(
    repositories.find((name) => name === on?.repository) ?? repositories[0] ?? "",
  );
  const [role, setRole] = useState(roles[0]?.name ?? "");
  const [typed, setTyped] = useState({ ...EMPTY, issue: on?.issue ?? "" });
  const { busy, refused, refuse, run } = useAct(changed);
  if (repositories.length === 0)
    return html`<p class="empty">Flotilla knows no repository that you may read: install its GitHub App on one, and open an issue there.</p>`;
  const typing =
    (field: keyof typeof EMPTY) =>
    ({ currentTarget }: Input) =>
      setTyped((before) => ({ ...before, [field]: currentTarget.value }));
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const { issue, title, text, words } = typed;
    if (!isNew && !/^[1-9]\d{0,8}$/.test(issue.trim())) return refuse("Enter the number of an issue.");
    if (isNew && title.trim() === "") return refuse("Enter a title for the new issue.");
    const where = isNew ? { title: title.trim(), text: text.trim() } : { issue: Number(issue) };
    const isDone = await run({
      path: `/api/repositories/${encodeURIComponent(repository)}/start`,
      body: { ...where, role, words: words.trim() },
      said: (answer) => startedWords(repository, answer),
    });
    if (isDone) setTyped(EMPTY);
  };
  return html`<form class="start" onSubmit=${(event: Event) => void submit(event)}>
    <div class="pair">
      <label>Repository
        <select value=${repository} onChange=${({ currentTarget }: Input) => setRepository(currentTarget.value)}>
          ${repositories.map((name) => html`<option key=${name} value=${name}>${name}</option>`)}
        </select>
      </label>
      <label>Role
        <select value=${role} onChange=${({ currentTarget }: Input) => setRole(currentTarget.value)}>
          ${roles.map(({ name, description }) => html`<option key=${name} value=${name} title=${description}>${name}</option>`)}
        </select>
      </label>
    </div>
    <fieldset>
      <legend>Issue</legend>
      <label class="choice"><input type="radio" name="which" checked=${!isNew} onChange=${() => setIsNew(false)} /> An open issue</label>
      <label class="choice"><input type="radio" name="which" checked=${isNew} onChange=${() => setIsNew(true)} /> A new issue</label>
    </fieldset>
    ${
      isNew
        ? html`<label>Title <input type="text" maxlength="256" value=${typed.title} onInput=${typing("title")} /></label>
            <label>Description <textarea rows="4" maxlength="20000" value=${typed.text} onInput=${typing("text")}></textarea></label>`
        : html`<label>Number <input type="text" inputmode="numeric" value=${typed.issue} onInput=${typing("issue")} /></label>`
    }
    <label>Note to the agent (optional) <textarea rows="2" maxlength="20000" value=${typed.words} onInput=${typing("words")}></textarea></label>
    <p class="acts"><button type="submit" class="first-choice" aria-disabled=${busy}>${isNew ? "Open the issue and start" : "Start"}</button></p>
    <p role="status" class="refused"><${Words} text=${refused} /></p>
  </form>`;
}

/** Returns what is said of a start, with a link to the agent or the issue. */
export function startedWords(repository: string, { issue, url, agent }: Readonly<Record<string, unknown>>) {
  const where = `${repository}#${String(issue)}`;
  if (typeof agent === "string")
    return {
      text: `Started on ${where}:`,
      link: { href: `/agents/${encodeURIComponent(agent)}`, text: agent.replace(/^.*:/, "") },
    };
  const link = typeof url === "string" ? { link: { href: url, text: where } } : {};
  return { text: "Taken up:", ...link };
}
