import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { createBubblewrapRunner } from "../../src/adapters/sandbox/bubblewrap.ts";
import { findBubblewrap } from "../../src/adapters/sandbox/find-bubblewrap.ts";
import type { CommandResult } from "../../src/domain/ports/runner.ts";
import { realClock } from "../adapters/runtimes/real-harness.ts";

interface Compiled {
  readonly createBubblewrapRunner: typeof createBubblewrapRunner;
}

/** Runs a command with a way out in a sandbox of the package at `path`, as its compiled code makes it. */
export async function forwardedRun(path: string, root: string): Promise<CommandResult> {
  const sandbox: Compiled = await import(
    pathToFileURL(join(path, "dist/adapters/sandbox/bubblewrap.js")).href
  );
  const runner = sandbox.createBubblewrapRunner({
    clock: realClock,
    bwrap: findBubblewrap(process.env["PATH"] ?? "") ?? "",
    hidden: [root],
    egress: {
      directoryFor: async () => mkdtempSync(join(root, "egress-")),
      open: async () => ({
        directory: mkdtempSync(join(root, "egress-")),
        refusedHosts: () => [],
        refusals: () => [],
        close: () => undefined,
      }),
    },
    registries: [],
    gitOf: () => null,
  });
  const work = mkdtempSync(join(root, "work-"));
  return runner.run(
    { file: "/bin/sh", args: ["-c", "echo out"], cwd: work, env: { PATH: "/usr/bin:/bin" } },
    {
      writable: [work],
      readable: [],
      hosts: ["registry.npmjs.org"],
      registries: false,
      mark: `package@${root}`,
      timeoutMs: 20_000,
      signal: new AbortController().signal,
      maxOutputBytes: 4000,
    },
  );
}
