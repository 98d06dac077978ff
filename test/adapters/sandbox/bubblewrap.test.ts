import { expect, test } from "vitest";
import { describeRunner } from "../../contracts/runner.ts";
import { realClock } from "../runtimes/real-harness.ts";
import { confinedRunner, describeConfined } from "./bubblewrap-here.ts";

describeConfined("bubblewrap", () => {
  test("what starts it outside the sandbox gets no variable but the mark", async () => {
    const command = { file: "/bin/true", args: [], cwd: "/tmp" };
    const reach = { writable: [], readable: [], hosts: [] };
    const confined = (env: Readonly<Record<string, string>>) =>
      confinedRunner(realClock).confine({ ...command, env }, reach);
    expect((await confined({ PATH: "/bin", SHELLOPTS: "xtrace", PS4: "$(id)" })).env).toEqual({});
    expect((await confined({ PATH: "/bin", FLOTILLA_SESSION: "a@b" })).env).toEqual({
      FLOTILLA_SESSION: "a@b",
    });
  });

  describeRunner("bubblewrap", confinedRunner);
});
