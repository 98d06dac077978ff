import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { validate } from "dockerfile-utils";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { PRESETS } from "../../src/adapters/runtimes/acp/presets/presets.ts";
import { temporaryDirectory } from "../adapters/store/temporary.ts";

const TEXT = readFileSync("Dockerfile", "utf8");
/** Instructions, each in one line, without comments. */
const LINES = TEXT.replace(/^\s*#.*\n/gm, "")
  .replace(/\\\n\s*/g, "")
  .split("\n")
  .filter((line) => line !== "");
const of = (name: string) => LINES.filter((line) => line.startsWith(`${name} `));
const at = (part: string) => LINES.findIndex((line) => line.includes(part));
const LAST = LINES.slice(LINES.findLastIndex((line) => line.startsWith("FROM ")));
const ALLOWED = readFileSync(".dockerignore", "utf8")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"));

describe("the Dockerfile", () => {
  it("has no fault that a linter finds", () => {
    expect(validate(TEXT)).toEqual([]);
    expect(validate("FROM node\nCOPPY a b\n")).not.toEqual([]);
  });

  it("begins both stages with the version of Node that the tests run with", () => {
    const { devDependencies } = z
      .object({ devDependencies: z.object({ node: z.string() }) })
      .parse(JSON.parse(readFileSync("package.json", "utf8")));
    expect(of("ARG")[0]).toBe(`ARG NODE_IMAGE=node:${devDependencies.node}-bookworm-slim`);
    expect(of("FROM")).toEqual([`FROM $\{NODE_IMAGE} AS build`, `FROM $\{NODE_IMAGE}`]);
  });

  it("lets into the image only what it copies, and no secret, no test and no history", () => {
    const copied = of("COPY")
      .filter((line) => !line.includes("--from="))
      .flatMap((line) =>
        line
          .split(" ")
          .slice(1, -1)
          .map((path) => path.replace("./", "")),
      );
    const roots = [...new Set(copied.map((path) => path.split("/")[0] ?? ""))];
    expect(ALLOWED[0]).toBe("*");
    expect(ALLOWED.slice(1).toSorted()).toEqual(roots.map((path) => `!${path}`).toSorted());
    expect(copied.filter((path) => !existsSync(path))).toEqual([]);
    expect(of("ENV").join(" ")).not.toMatch(/KEY|SECRET|TOKEN|PASSWORD|APP_ID/);
  });

  it("copies what changes seldom first, and installs for production without running a package's own programs", () => {
    const order = [
      "COPY package.json package-lock.json",
      "npm install --ignore-scripts",
      "COPY src ./src",
      "npm prune --omit=dev --ignore-scripts",
      "COPY --from=build /build/node_modules",
      "COPY --from=build /build/dist",
    ].map(at);
    expect(order).toEqual(order.toSorted((a, b) => a - b));
    expect(order[0]).toBeGreaterThan(0);
  });

  it("installs the runtimes that are asked for, but none whose licence forbids it, where everybody can read them", () => {
    expect(of("ARG")).toContain("ARG RUNTIMES=");
    const line = LAST.find((one) => one.includes("runtimes add"))?.replace(/^RUN /, "") ?? "";
    const root = temporaryDirectory();
    const flotilla = `#!/bin/sh\nmkdir -m 700 -p "$FLOTILLA_DATA_DIR/$1/$3" && touch "$FLOTILLA_DATA_DIR/$1/$3/here"\n`;
    writeFileSync(join(root, "flotilla"), flotilla, { mode: 0o755 });
    const run = (names: string) =>
      spawnSync("/bin/sh", ["-c", line.replaceAll("/opt/flotilla", root)], {
        cwd: root,
        env: { PATH: `${root}:/usr/bin:/bin`, RUNTIMES: names },
        encoding: "utf8",
      });
    expect(run("").status).toBe(0);
    expect(existsSync(join(root, "runtimes"))).toBe(false);
    expect(run("codex claude")).toMatchObject({
      status: 1,
      stderr: "RUNTIMES: claude cannot be in an image\n",
    });
    expect(run("codex gemini opencode qwen").status).toBe(0);
    for (const name of ["codex", "gemini", "opencode", "qwen"])
      expect(statSync(join(root, "runtimes", name)).mode & 0o777).toBe(0o755);
    expect([...PRESETS.keys()].filter((name) => !line.includes(name))).toEqual(["claude"]);
  });

  it("ends as a user with a fixed number, who owns the data and not the program", () => {
    expect(LAST.filter((line) => line.startsWith("USER "))).toEqual(["USER 10001:10001"]);
    expect(LAST.join("\n")).toContain("--uid 10001 --gid 10001");
    expect(LAST.join("\n")).toContain("install -d -o flotilla -g flotilla -m 700 /data");
    expect(LAST.filter((line) => line.startsWith("COPY ") && line.includes("--chown"))).toEqual([]);
    const user = LAST.findIndex((line) => line.startsWith("USER "));
    expect(LAST.slice(user).filter((line) => /^(COPY|RUN) /.test(line))).toEqual([]);
  });

  it("has git, bubblewrap, certificates and tini, a health check, a volume and a signal to stop by", () => {
    for (const name of ["bubblewrap", "ca-certificates", "git", "tini"])
      expect(LAST.find((line) => line.includes("apt-get install"))).toContain(` ${name}`);
    expect(LAST).toEqual(
      expect.arrayContaining([
        "ENV HOST=0.0.0.0 PORT=3000 FLOTILLA_DATA_DIR=/data FLOTILLA_CONFIG=/etc/flotilla/config.yaml",
        "VOLUME /data",
        "STOPSIGNAL SIGTERM",
        'ENTRYPOINT ["/usr/bin/tini", "--", "flotilla"]',
        'CMD ["serve"]',
      ]),
    );
  });
});
