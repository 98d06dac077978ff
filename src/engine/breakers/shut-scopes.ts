import { type Scope, type ScopeHolder, SHUT_HOLDERS } from "../../domain/breakers/scope.ts";
import type { Store } from "../../domain/ports/store.ts";

/** Returns the repositories where GitHub is not called, because the effects would only pile up. */
export async function shutScopes({ scopePauses }: Pick<Store, "scopePauses">): Promise<ReadonlySet<Scope>> {
  const holders: readonly ScopeHolder[] = SHUT_HOLDERS;
  const pauses = await scopePauses.list();
  return new Set(pauses.filter(({ holder }) => holders.includes(holder)).map(({ scope }) => scope));
}
