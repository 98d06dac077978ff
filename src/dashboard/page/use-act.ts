/// <reference lib="dom" />
import { useState } from "preact/hooks";
import { act, newId } from "./ask.ts";
import { type Done, tell, whyNot } from "./outcome.ts";

/** An act: where it is sent, with what, and what is said when it is done. */
export interface Wanted {
  readonly path: string;
  readonly body: object;
  readonly said: (answer: Readonly<Record<string, unknown>>) => Done;
}

export interface Acting {
  readonly busy: boolean;
  /** Why the last act was refused; "" if it was not. */
  readonly refused: string;
  readonly refuse: (why: string) => void;
  /** Carries out the act; true if it is done. Does nothing while another one is under way. */
  readonly run: (wanted: Wanted) => Promise<boolean>;
}

/**
 * Carries out the acts of one place on the page, one at a time. A press that is repeated because no answer came keeps
 * its id, so that it acts once.
 */
export function useAct(done: () => void): Acting {
  const [busy, setBusy] = useState(false);
  const [refused, refuse] = useState("");
  const [last] = useState({ asked: "", id: "", busy: false });
  const run = async ({ path, body, said }: Wanted): Promise<boolean> => {
    // The state of the last drawing does not know of a press a moment ago.
    if (last.busy) return false;
    const asked = JSON.stringify([path, body]);
    if (asked !== last.asked) Object.assign(last, { asked, id: newId() });
    last.busy = true;
    setBusy(true);
    refuse("");
    try {
      const answer = await act(path, { id: last.id, ...body });
      last.asked = "";
      tell(said(answer));
      done();
      return true;
    } catch (error) {
      refuse(whyNot(error));
      return false;
    } finally {
      last.busy = false;
      setBusy(false);
    }
  };
  return { busy, refused, refuse, run };
}

/** Sends an act whose answer is told by the words `text`; for an undo. */
export async function send(path: string, body: object, text: string): Promise<string> {
  await act(path, { id: newId(), ...body });
  return text;
}
