import { AsyncLocalStorage } from "node:async_hooks";
import type { LogContext, WithLogContext } from "../../domain/ports/log.ts";

const doing = new AsyncLocalStorage<LogContext>();

/**
 * Adds fields to every line that the work logs, and joins them with the fields of enclosing work. Work on a
 * delivery or an effect starts without them, because whatever happened to start it is unrelated.
 */
export const withFields: WithLogContext = (more, work) => {
  const outside = more.delivery === undefined && more.effect === undefined ? doing.getStore() : {};
  return doing.run({ ...outside, ...more }, work);
};

/** Returns the fields of the current work. */
export function fieldsHere(): LogContext {
  return { ...doing.getStore() };
}
