import { expect, test } from "vitest";
import { describeConfined } from "./bubblewrap-here.ts";
import { startAndKill } from "./start-and-kill.ts";

describeConfined("sandboxes that are started and killed", () => {
  test("30 leave no process, mount, file or handle, though what runs in them resists", async () => {
    expect(await startAndKill(30)).toEqual({ processes: 0, mounts: 0, files: 0, handles: 0 });
  }, 180_000);
});
