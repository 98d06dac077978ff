import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { describeConfined } from "../../adapters/sandbox/bubblewrap-here.ts";
import { runFlotilla } from "../../journeys/run-flotilla.ts";
import { aPlace, type Ground, prepareGround } from "./place.ts";

const BWRAP = ["bwrap", "--dev-bind", "/", "/"];

let ground: Ground;

beforeAll(async () => {
  ground = await prepareGround();
  await ground.tell();
});
afterAll(() => ground.close());

describeConfined("flotilla doctor", () => {
  test.each([
    [0, 1],
    [1000, 0],
  ])("run as user %i says %i times what root is not kept from", async (user, times) => {
    const place = aPlace(ground);
    const within = [...BWRAP, "--unshare-user", "--uid", String(user)];
    const { stdout } = await runFlotilla(["doctor"], { cwd: place.home, env: place.env, within });
    expect(stdout).toContain("sandbox: is off");
    const words =
      "You run this as root. If Flotilla serves as root too: an agent can start processes without";
    expect(stdout.split(words)).toHaveLength(times + 1);
    expect(stdout.match(/^Started from here, .*control group.*\.$/gm)).toHaveLength(1);
  });

  test("names what agents see of this machine: the named parts of a tool's tree, and nobody's home", async () => {
    const place = aPlace(ground);
    place.configure("sandbox: { mode: bubblewrap }");
    const [tool, eve] = [join(place.home, "..", "cargo"), join(place.home, "..", "eve")];
    for (const tree of [tool, join(eve, ".cargo")])
      for (const name of ["bin", "lib", "registry"]) mkdirSync(join(tree, name), { recursive: true });
    const passwd = place.put("passwd", `eve:x:1005:1005::${eve}:/bin/sh\n`, 0o644);
    const PATH = [join(tool, "bin"), join(eve, ".cargo/bin"), process.env["PATH"]].join(":");
    const { stdout } = await runFlotilla(["doctor"], {
      cwd: place.home,
      env: { ...place.env, PATH },
      within: [...BWRAP, "--ro-bind", passwd, "/etc/passwd"],
    });
    const [shown = ""] = /^Beside the system's own files, agents can read .*(?=\.$)/m.exec(stdout) ?? [];
    const paths = shown.split(/, | (?=\/)/);
    expect(paths.filter((path) => path.startsWith(tool))).toEqual([join(tool, "bin"), join(tool, "lib")]);
    expect(paths.filter((path) => path.startsWith(eve))).toEqual([]);
  });
});
