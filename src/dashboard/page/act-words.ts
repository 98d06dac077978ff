import type { Done } from "./outcome.ts";
import { send } from "./use-act.ts";

/** What is said of each act once it is done, by the last part of its path. */
const DONE: Readonly<Record<string, string>> = {
  pause: "Paused",
  resume: "Resumed",
  cancel: "Cancelled",
  retry: "Started again",
  revive: "New attempt started",
  continue: "Continues",
  complete: "Accepted as complete",
  replay: "Retried",
  approve: "Approved",
  deny: "Denied",
  answer: "Answered",
  checkpoint: "Stopped at a checkpoint",
  abort: "Aborted",
};

/** Acts that another act reverses, with that one. */
const REVERSE: Readonly<Record<string, string>> = { pause: "resume", resume: "pause" };

/** Returns what is said of an act on `about`, with its undo where it has one. `changed` is called after an undo. */
export function doneWords(
  path: string,
  { about, body, changed }: { readonly about: string; readonly body: object; readonly changed: () => void },
): Done {
  const verb = path.slice(path.lastIndexOf("/") + 1);
  const text = `${DONE[verb] ?? "Done"}: ${about}.`;
  const reverse = REVERSE[verb];
  if (reverse === undefined) return { text };
  const scope = "scope" in body ? { scope: body.scope } : {};
  const undo = async (): Promise<string> => {
    const said = await send(
      `${path.slice(0, -verb.length)}${reverse}`,
      scope,
      `${DONE[reverse] ?? "Done"}: ${about}.`,
    );
    changed();
    return said;
  };
  return { text, undo };
}
