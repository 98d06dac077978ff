import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";

const TOP = join(import.meta.dirname, "../..");
const read = (path: string) => readFileSync(join(TOP, path), "utf8");
const { engines } = z
  .object({ engines: z.object({ node: z.string().startsWith(">=") }) })
  .parse(JSON.parse(read("package.json")));
const NEEDED = engines.node.slice(2);
const [major = "", minor = ""] = NEEDED.split(".");

test.each(["README.md", "CONTRIBUTING.md", "docs/first-agent.md", "docs/deploy.md", ".ci/run"])(
  "%s asks for the Node that package.json asks for",
  (path) => {
    const versions = [...read(path).matchAll(/Node (\d+(?:\.\d+)?) or newer/g)].map(([, version]) => version);
    expect(new Set(versions)).toEqual(new Set([NEEDED]));
  },
);

test("the program refuses what package.json refuses", () => {
  expect(read("src/main.ts")).toContain(`= [${major}, ${minor}];`);
});

/** What `npm install` says at its end when npm runs on this Node. */
function lineOf(version: string): string {
  const env = { PATH: process.env["PATH"], npm_config_user_agent: `npm/11.0.0 node/v${version} linux x64` };
  const { status, stderr } = spawnSync(process.execPath, ["src/check-node.js"], {
    cwd: TOP,
    env,
    encoding: "utf8",
  });
  expect(status).toBe(0);
  return stderr;
}

test("an older Node gets one line at the end of npm install, and a newer one none", () => {
  for (const version of ["20.20.2", `${major}.${Number(minor) - 1}.9`, "18.0.0"]) {
    expect(lineOf(version).trimEnd().split("\n")).toHaveLength(1);
    expect(lineOf(version)).toContain(`You have Node ${version}; Flotilla needs ${NEEDED} or newer.`);
  }
  for (const version of [`${NEEDED}.0`, "24.0.0", "26.1.0"]) expect(lineOf(version)).toBe("");
});
