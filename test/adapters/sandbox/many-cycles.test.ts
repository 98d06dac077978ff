import { expect, test } from "vitest";
import { proved } from "../../proved.ts";
import { describeConfined } from "./bubblewrap-here.ts";
import { startAndKill } from "./start-and-kill.ts";

const CYCLES = 1000;

describeConfined("a thousand sandboxes that are started and killed", () => {
  test("leave no process, mount, file or handle, though what runs in them resists", async () => {
    const left = await startAndKill(CYCLES);
    expect(left).toEqual({ processes: 0, mounts: 0, files: 0, handles: 0 });
    proved({
      promise: "Agents that were started and killed leave no process, mount or lock.",
      test: "test/adapters/sandbox/many-cycles.test.ts",
      figure: `${CYCLES} cycles: ${left.processes} processes, ${left.mounts} mounts, ${left.files} files, ${left.handles} handles left`,
    });
  }, 400_000);
});
