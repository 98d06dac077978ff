import { DEFAULT_RUNTIME } from "../../adapters/runtimes/registry.ts";
import { messageOf, OutsideError } from "../../domain/kernel/errors.ts";
import type { Finding } from "./finding.ts";
import { isOlder } from "./is-older.ts";

const AGAIN = "Run `npm install` again: its version comes with ours";

/** Checks that the runtime of agents is installed and recent enough. */
export function runtimeFaults(read: () => string = DEFAULT_RUNTIME.version): readonly Finding[] {
  const { title: about, oldest } = DEFAULT_RUNTIME;
  try {
    const version = read();
    if (!isOlder(version, oldest)) return [];
    return [{ about, what: `is ${version}, older than ${oldest}`, next: AGAIN }];
  } catch (error) {
    const next = error instanceof OutsideError ? error.advice : undefined;
    return [{ about, what: messageOf(error), next: next ?? AGAIN }];
  }
}
