import type { LiveEvent } from "./live.ts";
import { reasonWords } from "./move-words.ts";

/** An entry of the transcript of an agent's work. */
export type Entry =
  | { readonly kind: "said"; readonly id: number; readonly at: string; readonly text: string }
  | {
      readonly kind: "tool";
      readonly id: number;
      readonly at: string;
      readonly call: string;
      readonly tool: string;
      readonly input: string;
      readonly status: string;
      readonly output: string | null;
      /** Milliseconds; null before the call has ended, or where its end was not seen. */
      readonly duration: number | null;
    }
  | { readonly kind: "note"; readonly id: number; readonly at: string; readonly text: string };

/** The states of a call that has not ended. */
const OPEN: readonly string[] = ["pending", "running"];

/** Only the latest entries are kept, because a longer page becomes slow. */
const KEPT = 600;

/** Returns the entries after adding an event. */
export function folded(entries: readonly Entry[], event: LiveEvent): readonly Entry[] {
  const { id, at, data } = event;
  const text = (name: string): string => (typeof data[name] === "string" ? data[name] : "");
  const last = entries.at(-1);
  // After a reconnection the same events may arrive twice.
  if (last !== undefined && id <= last.id) return entries;
  switch (event.type) {
    case "stream:token":
      if (last?.kind === "said")
        return [...entries.slice(0, -1), { ...last, id, text: last.text + text("text") }];
      return kept([...entries, { kind: "said", id, at, text: text("text") }]);
    case "tool:start":
      return kept([
        ...entries,
        {
          kind: "tool",
          id,
          at,
          call: text("call"),
          tool: text("tool"),
          input: text("input"),
          status: "pending",
          output: null,
          duration: null,
        },
      ]);
    case "tool:running":
      return withCall(entries, text("call"), { status: "running" });
    case "tool:result":
      return withCall(entries, text("call"), {
        status: text("status"),
        output: text("output"),
        duration: typeof data["duration_ms"] === "number" ? data["duration_ms"] : null,
      });
    case "agent:starting":
      return noted(entries, event, beginText(text("cause"), text("reason")));
    case "agent:paused":
      return noted(entries, event, restText(text("state"), text("reason")));
    case "agent:error":
      // The result of the call already shows a tool's error.
      if (text("code").startsWith("tool_")) return entries;
      return noted(entries, event, `Error: ${text("error")}`);
    case "agent:completed":
      return noted(entries, event, `Done: ${text("result")}`);
    case "agent:service":
      return noted(
        entries,
        event,
        text("what") === "ready" ? `Service ${text("service")} is ready` : text("detail"),
      );
    case "agent:model": {
      const { from: before } = data;
      const model = typeof before === "string" ? before : "";
      return noted(entries, event, `${text("to")} answers in place of ${model}: ${text("reason")}`);
    }
    case "approval:requested":
      return noted(entries, event, `Asks a person: ${text("subject")}`);
    case "agent:step":
    case "agent:cleanup":
    case "state:update":
      return entries;
  }
}

/** Says why an awake period began. */
function beginText(cause: string, reason: string): string {
  const why = reason === "" ? "" : `: ${reasonWords(reason)}`;
  return cause === "START" ? `Started${why}` : `Continued${why}`;
}

/** Says why an awake period ended before the work did. */
function restText(state: string, reason: string): string {
  const why = reason === "" ? "" : `: ${reason}`;
  return state === "ESCALATED" ? `Stopped, and needs a person${why}` : `Stopped to wait${why}`;
}

/** Changes the oldest open call of that name. */
function withCall(
  entries: readonly Entry[],
  call: string,
  change: { readonly status: string; readonly output?: string; readonly duration?: number | null },
): readonly Entry[] {
  const index = entries.findIndex(
    (entry) => entry.kind === "tool" && entry.call === call && OPEN.includes(entry.status),
  );
  const started = entries[index];
  return started?.kind === "tool" ? entries.with(index, { ...started, ...change }) : entries;
}

function noted(entries: readonly Entry[], { id, at }: LiveEvent, text: string): readonly Entry[] {
  return kept([...entries, { kind: "note", id, at, text }]);
}

function kept(entries: readonly Entry[]): readonly Entry[] {
  return entries.length > KEPT ? entries.slice(-KEPT) : entries;
}
