import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { createUnconfinedRunner } from "../../../../src/adapters/sandbox/none.ts";
import { messageOf } from "../../../../src/domain/kernel/errors.ts";
import type { Clock } from "../../../../src/domain/ports/clock.ts";
import type { Runner } from "../../../../src/domain/ports/runner.ts";
import { createRig, type Rig } from "../../../contracts/agent-runtime-rig.ts";
import { startCopilot } from "./copilot-harness.ts";

const script = { conversations: [{ match: "", steps: [{ say: "Hello." }] }] };

/** A rig whose runtime is started by these lines of shell, with its command as $0 and $@. */
async function given(shell: string): Promise<Rig> {
  const runner = (clock: Clock): Runner => {
    const unconfined = createUnconfinedRunner(clock);
    return {
      ...unconfined,
      async confine(asked, reach) {
        const command = await unconfined.confine(asked, reach);
        return { ...command, file: "/bin/sh", args: ["-c", shell, command.file, ...command.args] };
      },
    };
  };
  const rig = createRig(await startCopilot(script, { runner }));
  onTestFinished(rig.close);
  return rig;
}

test("of what a runtime says before it ends, the end is told, however much it is", async () => {
  vi.spyOn(process.stderr, "write").mockReturnValue(true);
  onTestFinished(() => void vi.restoreAllMocks());
  const { open } = await given("yes flooded | head -c 300000 >&2; echo no such locale >&2; exit 3");
  const message = await open().then(() => "it started", messageOf);
  expect(message).toContain("no such locale");
  expect(message.length).toBeLessThan(3000);
});

test("what is written to the error output of a runtime that works is not copied to that of Flotilla", async () => {
  const { open, place } = await given(
    `mkfifo go come; (read word < go; yes flooded | head -c 3000000 >&2; echo done > come) & exec "$0" "$@"`,
  );
  const { session } = await open();
  const write = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  onTestFinished(() => void vi.restoreAllMocks());
  await writeFile(join(place.workingDirectory, "go"), "now\n");
  await readFile(join(place.workingDirectory, "come"));
  expect((await session.exchange("do the work", { deadlineMs: 60_000 })).kind).toBe("idle");
  const copied = write.mock.calls.filter(([text]) => String(text).includes("flooded"));
  expect(copied).toEqual([]);
});
