import { AsyncLocalStorage } from "node:async_hooks";
import type { LogContext, WithLogContext } from "../../domain/ports/log.ts";

const doing = new AsyncLocalStorage<LogContext>();

/**
 * Fields of one piece of work stand in each line that is logged in it; those of work within work are joined. A delivery and
 * an act stand for themselves: what happened to be done where they were taken up is not theirs.
 */
export const withFields: WithLogContext = (more, work) => {
  const outside = more.delivery === undefined && more.effect === undefined ? doing.getStore() : {};
  return doing.run({ ...outside, ...more }, work);
};

/** Of the work that is under way here. */
export function fieldsHere(): LogContext {
  return { ...doing.getStore() };
}
