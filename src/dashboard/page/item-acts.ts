/// <reference lib="dom" />
import { html } from "htm/preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { WaitingItem } from "../api/waiting.ts";
import { doneWords } from "./act-words.ts";
import type { Done } from "./outcome.ts";
import { startedWords } from "./start-form.ts";
import { send, useAct, type Wanted } from "./use-act.ts";
import { Words } from "./words.ts";

/** One act of an item: its button, and what it takes. */
interface Act {
  readonly label: string;
  readonly path: string;
  /** Returns what is sent besides a note. */
  readonly body?: () => object | string;
  /** The label of the note that goes with it; undefined if it takes none. */
  readonly note?: string;
  /** What the note is called in the request; `reason` where it is missing. */
  readonly noteIs?: "words";
  /** True if the button asks for confirmation. */
  readonly sure?: boolean;
  /** True for the act that most people want. */
  readonly first?: boolean;
  readonly said?: (answer: Readonly<Record<string, unknown>>) => Done;
}

const NOTE = "Note to the agent";

/** Each operation's label and path, the note that it takes, and whether it asks for confirmation. */
const ACTS: Readonly<Record<WaitingItem["acts"][number], Omit<Act, "body">>> = {
  continue: { label: "Continue", path: "continue", note: NOTE, first: true },
  resume: { label: "Resume", path: "resume", note: NOTE, first: true },
  retry: { label: "Retry", path: "retry", note: NOTE },
  complete: { label: "Complete", path: "complete", sure: true },
  kill: { label: "Cancel", path: "cancel", sure: true },
};

interface ItemActsProps {
  readonly item: WaitingItem;
  /** The subject, for people who cannot see where a button is. */
  readonly about: string;
  readonly done: () => void;
}

/** What a person can do about an item, in place: options and an answer, a number, a note, and the buttons. */
export function ItemActs({ item, about, done }: ItemActsProps) {
  const { busy, refused, refuse, run } = useAct(done);
  const [note, setNote] = useState("");
  const [hasNote, setHasNote] = useState(false);
  const [asked, setAsked] = useState("");
  const [number, setNumber] = useState("");
  const field = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    if (hasNote) field.current?.focus();
  }, [hasNote]);
  const acts = actsOf(item, { about, number, done });
  const waiting = acts.find(({ label }) => label === asked);
  const takesNote = acts.some((act) => act.note !== undefined);
  const press = async (act: Act): Promise<void> => {
    if (act.sure === true && asked !== act.label) {
      setAsked(act.label);
      if (act.note !== undefined) setHasNote(true);
      refuse("");
      return;
    }
    const body = act.body?.() ?? {};
    if (typeof body === "string") {
      refuse(body);
      return;
    }
    const words =
      act.note === undefined || note.trim() === "" ? {} : { [act.noteIs ?? "reason"]: note.trim() };
    const whole = { ...body, ...words };
    const said = act.said ?? (() => doneWords(act.path, { about, body: whole, changed: done }));
    const isDone = await run({ path: act.path, body: whole, said });
    setAsked("");
    if (!isDone) return;
    setNote("");
    setHasNote(false);
  };
  if (item.question !== undefined)
    return html`<${Answer} question=${item.question} about=${about} busy=${busy} run=${run} refused=${refused} />`;
  if (acts.length === 0 && item.merge === undefined) return null;
  return html`<div class="item-acts" onKeyDown=${(event: KeyboardEvent) => event.key === "Escape" && setAsked("")}>
    <${NumberField} item=${item} about=${about} typed=${setNumber} />
    ${
      takesNote && hasNote
        ? html`<label class="note">${waiting?.note ?? NOTE}<span class="unseen"> about ${about}</span>
            <textarea ref=${field} rows="2" maxlength="20000" value=${note} onInput=${({ currentTarget }: { currentTarget: HTMLTextAreaElement }) => setNote(currentTarget.value)}></textarea>
          </label>`
        : null
    }
    <p class="acts">
      ${acts.map(
        (act) => html`<button
          type="button"
          key=${act.label}
          class=${asked === act.label ? "danger" : act.first === true ? "first-choice" : ""}
          aria-disabled=${busy}
          onClick=${() => void press(act)}
        >
          ${asked === act.label ? `Really ${lower(act.label)}?` : act.label}<span class="unseen"> ${about}</span>
        </button>`,
      )}
      ${item.merge !== undefined && !item.merge.here ? html`<a class="button" href=${item.url}>Merge #${item.merge.pull} on GitHub</a>` : null}
      ${takesNote && !hasNote ? html`<button type="button" class="plain" onClick=${() => setHasNote(true)}>Add a note<span class="unseen"> about ${about}</span></button>` : null}
      ${waiting === undefined ? null : html`<button type="button" class="plain" onClick=${() => setAsked("")}>Back</button>`}
    </p>
    <p role="status" class="refused"><${Words} text=${refused} /></p>
  </div>`;
}

const lower = (label: string) => `${label.charAt(0).toLowerCase()}${label.slice(1)}`;

interface Given {
  readonly about: string;
  readonly number: string;
  readonly done: () => void;
}

function actsOf(item: WaitingItem, given: Given): readonly Act[] {
  const key = item.agent?.key ?? item.coder ?? "";
  const home = `/api/agents/${encodeURIComponent(key)}`;
  return [
    ...approvalActs(item, given),
    ...mergeActs(item),
    ...startActs(item),
    ...item.acts.map(
      (act): Act => ({
        ...ACTS[act],
        path: `${home}/${ACTS[act].path}`,
        ...(act === "continue" ? { body: () => amountOf(item, given.number) } : {}),
        ...(act === "resume" && item.rounds === true ? { body: () => roundsOf(given.number) } : {}),
      }),
    ),
  ];
}

function approvalActs({ approval }: WaitingItem, { about, done }: Given): readonly Act[] {
  if (approval === null) return [];
  const path = `/api/approvals/${approval.id}`;
  const undo = async (): Promise<string> => {
    const said = await send(`${path}/undo`, {}, `Taken back: ${about} may not make that call.`);
    done();
    return said;
  };
  return [
    {
      label: "Approve",
      path: `${path}/approve`,
      note: NOTE,
      first: true,
      said: () => ({ text: `Approved: ${about}.`, ...(approval.undo ? { undo } : {}) }),
    },
    { label: "Deny", path: `${path}/deny`, note: "Why not? The agent reads it", sure: true },
  ];
}

function mergeActs({ merge, repository, issue }: WaitingItem): readonly Act[] {
  if (merge?.here !== true) return [];
  const { pull } = merge;
  return [
    {
      label: `Merge #${pull}`,
      path: `/api/repositories/${encodeURIComponent(repository)}/merge`,
      body: () => ({ issue }),
      sure: true,
      first: true,
      said: ({ merged }) => ({
        text: merged === true ? `Merged: #${pull}.` : `#${pull} is being merged. GitHub takes a moment.`,
      }),
    },
  ];
}

function startActs({ start, repository, issue }: WaitingItem): readonly Act[] {
  if (start === undefined) return [];
  return [
    {
      label: "Start again",
      path: `/api/repositories/${encodeURIComponent(repository)}/start`,
      note: NOTE,
      noteIs: "words",
      first: true,
      body: () => ({ issue, role: start.role }),
      said: (answer) => startedWords(repository, answer),
    },
  ];
}

function amountOf({ raise }: WaitingItem, typed: string): object | string {
  if (typed === "")
    return raise?.required === true ? `Enter how many ${raise.what} more the agent may use.` : {};
  if (raise?.what === "dollars" || raise?.what === "minutes")
    return Number(typed) > 0 ? { amount: typed } : "Enter a number above zero.";
  return /^[1-9]\d{0,9}$/.test(typed) ? { amount: typed } : "Enter a whole number from 1.";
}

function roundsOf(typed: string): object | string {
  if (typed === "") return {};
  return /^[1-9]\d{0,3}$/.test(typed)
    ? { rounds: Number(typed) }
    : "Enter a whole number from 1 to 9999, or leave the field empty for the default.";
}

interface NumberFieldProps {
  readonly item: WaitingItem;
  readonly about: string;
  readonly typed: (text: string) => void;
}

/** The field for how much more an agent may use, or how many more reviews it gets. */
function NumberField({ item, about, typed }: NumberFieldProps) {
  const { raise, rounds } = item;
  if (raise === undefined && rounds !== true) return null;
  const label = raise === undefined ? "Review rounds" : `More ${raise.what}`;
  const usual = raise?.usual ?? null;
  const fine = raise?.what === "dollars" || raise?.what === "minutes";
  return html`<label class="number-field">${label}<span class="unseen"> for ${about}</span>
    <input
      type="number"
      min=${fine ? "0.01" : "1"}
      step=${fine ? "any" : "1"}
      placeholder=${usual ?? ""}
      onInput=${({ currentTarget }: { currentTarget: HTMLInputElement }) => typed(numberIn(currentTarget))}
    />
    ${usual === null ? null : html`<span class="of">${usual.toLocaleString("en")} if you leave it empty</span>`}
  </label>`;
}

/**
 * Returns the typed text. For input that is not a number the browser reports an empty value, which would mean the
 * default.
 */
function numberIn({ validity, value }: HTMLInputElement): string {
  return validity.badInput ? "?" : value;
}

interface AnswerProps {
  readonly question: NonNullable<WaitingItem["question"]>;
  readonly about: string;
  readonly busy: boolean;
  readonly run: (wanted: Wanted) => Promise<boolean>;
  readonly refused: string;
}

/** A question's options as buttons, and a field for any other answer. */
function Answer({ question, about, busy, run, refused }: AnswerProps) {
  const [text, setText] = useState("");
  const [asked, setAsked] = useState("");
  const [isOpen, setIsOpen] = useState(question.options.length === 0);
  const field = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    if (isOpen && question.options.length > 0) field.current?.focus();
  }, [isOpen]);
  const give = (answer: string): void =>
    void run({
      path: `/api/questions/${question.id}/answer`,
      body: { text: answer },
      said: () => ({ text: `Answered ${about}: ${answer}` }),
    });
  const choose = ({ name, destructive }: (typeof question.options)[number]): void => {
    if (destructive && asked !== name) setAsked(name);
    else give(name);
  };
  const submit = (event: Event): void => {
    event.preventDefault();
    if (text.trim() !== "") give(text.trim());
  };
  return html`<div class="item-acts">
    <p class="acts">
      ${question.options.map(
        (option) => html`<button
          type="button"
          key=${option.name}
          class=${asked === option.name ? "danger" : option.recommended ? "first-choice" : ""}
          aria-disabled=${busy}
          onClick=${() => choose(option)}
        >
          ${asked === option.name ? `Really ${option.name}?` : option.name}${option.recommended ? html` <span class="of">recommended</span>` : null}${option.destructive ? html` <span class="of">cannot be undone</span>` : null}<span class="unseen"> for ${about}</span>
        </button>`,
      )}
      ${isOpen ? null : html`<button type="button" class="plain" onClick=${() => setIsOpen(true)}>Another answer<span class="unseen"> for ${about}</span></button>`}
    </p>
    ${
      isOpen
        ? html`<form class="answer" onSubmit=${submit}>
            <label class="note">Your answer<span class="unseen"> to ${about}</span>
              <textarea ref=${field} rows="2" maxlength="20000" value=${text} onInput=${({ currentTarget }: { currentTarget: HTMLTextAreaElement }) => setText(currentTarget.value)}></textarea>
            </label>
            <p class="acts"><button type="submit" aria-disabled=${busy || text.trim() === ""}>Answer<span class="unseen"> ${about}</span></button></p>
          </form>`
        : null
    }
    <p role="status" class="refused"><${Words} text=${refused} /></p>
  </div>`;
}
