import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/**
 * Runs the command as if there were nothing to confine, and says that it went well. Descriptor 8 has arguments, too, which
 * set its variables.
 */
export const CONFINES_NOTHING = `{ cat <&8; printf '%s\\0' "$@"; } | xargs -0 /bin/sh -c '
while [ "$1" = --setenv ]; do export "$2=$3"; shift 3; done
while [ "$1" != -- ]; do shift; done; shift
"$@"; code=$?; echo "{ \\"exit-code\\": 0 }" >&3; exit $code' sh`;

/** What a system says that allows no namespaces. */
export const MAY_NOT = "echo 'bwrap: No permissions to create new namespace' >&2; exit 1";

/** A directory with a program named bwrap that does this, in shell. Removed when the test ends. */
export function bubblewrapThat(does: string): string {
  const directory = mkdtempSync(join(tmpdir(), "flotilla-bwrap-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  writeFileSync(join(directory, "bwrap"), `#!/bin/sh\n${does}\n`, { mode: 0o755 });
  return directory;
}
