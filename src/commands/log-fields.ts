import { AsyncLocalStorage } from "node:async_hooks";
import type { Doing, Within } from "../core/ports/within.ts";

const doing = new AsyncLocalStorage<Doing>();

/** Fields of one piece of work stand in each line that is logged in it; those of work within work are joined. */
export const withFields: Within = (more, work) => doing.run({ ...doing.getStore(), ...more }, work);

/** Of the work that is under way here. */
export function fieldsHere(): Doing {
  return { ...doing.getStore() };
}
