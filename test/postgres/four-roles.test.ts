import { mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Served } from "../../src/demo/served.ts";
import type { Stage } from "../../src/demo/stage.ts";
import { after, aScenario, call, makes, saysOn } from "../journeys/a-scenario.ts";
import { until } from "../journeys/until.ts";
import { proved } from "../proved.ts";
import { stageOn } from "./a-stage.ts";
import { asAdmin, databaseAt, describeWithPostgres, nameOf, newDatabase } from "./databases.ts";

const WEBHOOK_SECRET = "0123456789abcdefghijklmnopqrstuv-webhooks";
const HOUR_MS = 60 * 60_000;
const AGAIN = "You were interrupted by a restart";
/** Secrets that an empty variable takes away. */
const NO_KEY = { PRIVATE_KEY: "" };
const NO_WEBHOOKS = { WEBHOOK_SECRET: "" };
const NO_MODEL = { MODEL_API_KEY: "" };
const MODEL = { MODEL_API_KEY: "demo-model-key" };

const scenario = aScenario({
  conversations: [
    saysOn(1, makes("file-1.md")),
    saysOn(2, [
      call("bash", { command: "echo draft > draft-2.md", description: "Write a draft" }),
      { ...call("bash", { command: "true", description: "Think" }), delayMs: HOUR_MS },
      ...after(AGAIN, makes("file-2.md")),
    ]),
  ],
});

describeWithPostgres("four Flotilla processes, one of each role", { timeout: 240_000 }, () => {
  const directory = mkdtempSync(join(tmpdir(), "flotilla-roles-"));
  let url = "";
  let stage: Stage;
  const processes = new Map<string, Served>();
  const rows = (sql: string) => asAdmin(nameOf(url), async (admin) => (await admin.query(sql)).rows);
  const stateOf = async (issue: number) =>
    (await rows(`SELECT state FROM agent WHERE issue = ${issue}`))[0]?.state;

  const start = async (name: string, role: string, without: Readonly<Record<string, string>>) => {
    const dataDir = join(directory, name);
    mkdirSync(dataDir, { mode: 0o700 });
    const env = { FLOTILLA_DATA_DIR: dataDir, FLOTILLA_NODE: name, FLOTILLA_ROLE: role, ...without };
    processes.set(name, await stage.beside(env));
  };
  const running = (name: string): Served => {
    const found = processes.get(name);
    if (found === undefined) throw new Error(`${name} was not started`);
    return found;
  };

  const status = async (name: string, path: string) => (await fetch(`${running(name).url}${path}`)).status;

  beforeAll(async () => {
    url = await newDatabase();
    const env = { FLOTILLA_NODE: "controller", FLOTILLA_ROLE: "controller", ...NO_MODEL };
    stage = await stageOn(url, scenario, directory, { WEBHOOK_SECRET, ...env });
    await start("intake", "intake", { ...NO_KEY, ...NO_MODEL });
    await start("web", "web", { ...NO_KEY, ...NO_WEBHOOKS, ...NO_MODEL });
    await start("runner-1", "runner", { ...NO_KEY, ...NO_WEBHOOKS, ...MODEL });
    stage.github.setWebhook({
      url: `${running("intake").url}/api/github/webhooks`,
      secret: WEBHOOK_SECRET,
    });
    for (const issue of [1, 2])
      await stage.github.as("octocat").openIssue({ title: `Work ${issue}`, body: "Do it." });
  }, 120_000);
  afterAll(async () => {
    await stage.close();
    rmSync(directory, { recursive: true, force: true });
  });

  test("an issue goes from its webhook to a pull request", async () => {
    await stage.github.as("octocat").label(1, "feature");
    await until("it is done", async () => (await stateOf(1)) === "COMPLETED", 60);
    expect(await rows("SELECT DISTINCT node FROM agent")).toEqual([{ node: "runner-1" }]);
    expect(await rows("SELECT count(*)::int AS left FROM token_request")).toEqual([{ left: 0 }]);
  });

  test("a runner has neither the App's key nor the webhook secret, and listens on no port", () => {
    const { pid } = running("runner-1");
    const environment = readFileSync(`/proc/${pid}/environ`, "utf8");
    expect(environment).not.toMatch(/PRIVATE KEY|WEBHOOK_SECRET=[^\0]/);
    expect(environment).not.toContain(WEBHOOK_SECRET);
    expect(environment).toContain("MODEL_API_KEY=demo-model-key");
    expect(listeningPorts(pid)).toEqual([]);
    expect(listeningPorts(running("intake").pid)).toHaveLength(1);
    expect(listeningPorts(stage.served().pid)).toEqual([]);
    for (const name of ["intake", "web"])
      expect(readFileSync(`/proc/${running(name).pid}/environ`, "utf8")).not.toMatch(
        /PRIVATE KEY|demo-model-key/,
      );
  });

  test("each process serves what its role has", async () => {
    expect(await status("intake", "/readyz")).toBe(200);
    expect(await status("intake", "/")).toBe(404);
    expect(await status("intake", "/api/overview")).toBe(404);
    expect(await status("web", "/")).toBe(200);
    expect(await status("web", "/api/github/webhooks")).toBe(401);
  });

  test("agents of a runner that is killed continue on another one", async () => {
    await stage.github.as("octocat").label(2, "feature");
    await until("it thinks, and its draft is on the server", async () => {
      const saved = await rows(
        "SELECT 1 FROM agent JOIN checkpoint ON agent_id = agent.id WHERE issue = 2 AND state = 'ACTIVE' AND pushed_sha IS NOT NULL",
      );
      return saved.length === 1;
    });
    await start("runner-2", "runner", { ...NO_KEY, ...NO_WEBHOOKS, ...MODEL });
    const began = performance.now();
    await running("runner-1").stop("SIGKILL");
    await until("it is at work again on the other one", async () => {
      const again = await rows(
        "SELECT 1 FROM agent WHERE issue = 2 AND node = 'runner-2' AND state IN ('ACTIVE', 'COMPLETED')",
      );
      return again.length === 1;
    });
    const seconds = (performance.now() - began) / 1000;
    await until("it is done", async () => (await stateOf(2)) === "COMPLETED");
    const reader = await databaseAt(url).openReadOnly();
    expect(await reader.checkInvariants(Date.now())).toEqual([]);
    await reader.close();
    expect(seconds).toBeLessThan(90);
    proved({
      promise:
        "A runner needs neither the App's key nor the webhook secret, and listens on no port; another one continues its agents.",
      test: "test/postgres/four-roles.test.ts",
      figure: `intake, controller, web and two runners; ${seconds.toFixed(0)} s from the kill of one to work on the other`,
    });
  });
});

/** Returns the ports on which the process listens, over TCP of either version. */
function listeningPorts(pid: number): readonly number[] {
  const sockets = new Set(
    readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
      try {
        return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1] ?? [];
      } catch {
        // Closed meanwhile.
        return [];
      }
    }),
  );
  return ["tcp", "tcp6"].flatMap((protocol) =>
    readFileSync(`/proc/${pid}/net/${protocol}`, "utf8")
      .split("\n")
      .slice(1)
      .map((line) => line.trim().split(/\s+/))
      .filter(([, , , state, , , , , , inode]) => state === "0A" && inode !== undefined && sockets.has(inode))
      .map(([, local = ""]) => Number.parseInt(local.split(":").at(-1) ?? "", 16)),
  );
}
