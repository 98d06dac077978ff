import { runtimeVersion } from "../../adapters/runtimes/copilot/runtime-version.ts";
import { messageOf, OutsideError } from "../../domain/kernel/errors.ts";
import type { Finding } from "./finding.ts";
import { isOlder } from "./is-older.ts";

/** The version with which the SDK that we use was published. */
const OLDEST = "1.0.14";
const AGAIN = "Run `npm install` again: its version comes with ours";

/** Checks that the Copilot runtime is installed and recent enough. */
export function runtimeFaults(read: () => string = runtimeVersion): readonly Finding[] {
  const about = "Copilot runtime";
  try {
    const version = read();
    if (!isOlder(version, OLDEST)) return [];
    return [{ about, what: `is ${version}, older than ${OLDEST}`, next: AGAIN }];
  } catch (error) {
    const next = error instanceof OutsideError ? error.advice : undefined;
    return [{ about, what: messageOf(error), next: next ?? AGAIN }];
  }
}
