import { neverFits, placesInMemory } from "../../domain/breakers/room.ts";
import type { Log } from "../../domain/ports/log.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import type { Finding } from "./finding.ts";

/** Returns the advice where the memory that an agent is promised exceeds what the machine can give. */
export function checkMemory(settings: Pick<Settings, "sandbox">, memoryBytes: number): readonly Finding[] {
  const never = neverFits(memoryBytes, settings);
  if (never === null) return [];
  const next = "Lower `sandbox.memory_gib` or `sandbox.host_memory_gib`, or give the machine more memory";
  return [{ about: "sandbox.memory_gib", what: `${never.reason}: no agent starts`, next }];
}

/** Logs at the start how many agents fit into the memory; warns where none ever does. */
export function logMemory(settings: Pick<Settings, "sandbox">, memoryBytes: number, log: Log): void {
  const places = placesInMemory(memoryBytes, settings);
  if (places === null) return;
  for (const { what, next } of checkMemory(settings, memoryBytes))
    log.warn({ reason: what, advice: next }, "an agent's memory does not fit on this machine");
  if (places > 0) log.info({ memoryBytes, places }, "agents start where their memory fits");
}
