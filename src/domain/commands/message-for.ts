import type { DomainEventOf } from "../events/domain-event.ts";
import { sayer } from "../status/person-named.ts";

/** Returns the text after a command, or below it, as the agent reads it; null for none. */
export const messageFor = ({ actor, url }: DomainEventOf<"commented">, words: string): string | null =>
  words === "" ? null : `${sayer(actor.login)} says (${url}):\n\n${words}`;
