import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { toolGuidance } from "../../../../src/adapters/runtimes/copilot/tool-guidance.ts";
import { markedProcesses } from "../../../../src/adapters/sandbox/marked-processes.ts";
import {
  createRig,
  longMs,
  type Opened,
  type Rig,
  type Steps,
  textsOf,
} from "../../../contracts/agent-runtime-rig.ts";
import { proved } from "../../../proved.ts";
import type { RealHarness } from "../real-harness.ts";
import { startCopilot } from "./copilot-harness.ts";
import { ORDER, plantOrders } from "./plant-orders.ts";

interface Work {
  readonly env?: Record<string, string>;
  readonly spec?: Parameters<Rig["open"]>[0];
  prepare?(worktree: string): Promise<void>;
}
type Worked = Opened & { readonly harness: RealHarness; readonly results: string[] };

const it = test.extend<{ work: (steps: Steps, options?: Work) => Promise<Worked> }>({
  work: async ({ onTestFinished }, use) => {
    await use(async (steps, options = {}) => {
      const harness = await startCopilot({ conversations: [{ match: "", steps }] }, options);
      await options.prepare?.(harness.place.workingDirectory);
      const rig = createRig(harness);
      onTestFinished(rig.close);
      const opened = await rig.open(options.spec);
      const end = await opened.session.exchange("do the work", { deadlineMs: longMs });
      if (end.kind !== "idle") throw new Error(`the exchange ended by ${JSON.stringify(end)}`);
      return { ...opened, harness, results: textsOf(harness.requests().at(-1), "tool") };
    });
  },
});

const shell = (command: string) => ({ tool: "bash", args: { command, description: "a command" } });
/** Beside the worktree, where what is planted says that it was run. */
const ranIn = (worktree: string) => join(worktree, "../ran");
const view = (path: string) => ({ tool: "view", args: { path } });

describe.concurrent("what an agent can reach through the real runtime", { timeout: 60_000 }, () => {
  it("neither the shell nor the runtime's own environment holds a secret of the host or the provider's key", async ({
    work,
  }) => {
    const { results } = await work(
      [
        { call: [shell("env > env.txt; cat /proc/$PPID/environ >> env.txt; base64 -w0 env.txt")] },
        { say: "Done." },
      ],
      {
        env: { WEBHOOK_SECRET: "planted-in-the-host", AWS_SECRET_ACCESS_KEY: "planted-too", LANG: "C.UTF-8" },
      },
    );
    const environment = Buffer.from(
      /[A-Za-z0-9+/=]{100,}/.exec(results[0] ?? "")?.[0] ?? "",
      "base64",
    ).toString();
    expect(environment).toContain("LANG=C.UTF-8");
    expect(environment).toContain("GIT_OPTIONAL_LOCKS=0");
    // It looks nothing up at GitHub where a provider is configured.
    expect(environment).toContain("COPILOT_OFFLINE=true");
    expect(environment).not.toMatch(/planted|WEBHOOK_SECRET|AWS_|the-provider-key/);
  });

  it("the repository's variables are seen by the shell and the runtime, as they are written", async ({
    work,
  }) => {
    const { results } = await work(
      [
        {
          call: [
            shell("printf '[%s]' \"$GREETING\"; tr '\\0' '\\n' < /proc/$PPID/environ | grep -c ^GREETING="),
          ],
        },
        { say: "Done." },
      ],
      { spec: { environment: { GREETING: "$HOME and `id`" } } },
    );
    expect(results[0]).toContain("[$HOME and `id`]1");
  });

  it("home and temporary directory are the session's own", async ({ work }) => {
    const { results, spec } = await work(
      [{ call: [shell('echo "[$HOME] [$TMPDIR]"; touch "$HOME/x" "$TMPDIR/y"')] }],
      {},
    );
    expect(results[0]).toContain(`[${spec.baseDirectory}/home] [${spec.baseDirectory}/tmp]`);
  });

  it("files outside the worktree are neither read nor written, also through a link and by a patch", async ({
    work,
  }) => {
    const patch = "*** Begin Patch\n*** Add File: ../outside.txt\n+x\n*** End Patch";
    const { results, spec } = await work(
      [
        { call: [view("/etc/hostname"), view("{{cwd}}/link/hostname"), view("{{cwd}}/inside.txt")] },
        { call: [{ tool: "apply_patch", args: { input: patch } }] },
        { call: [{ tool: "apply_patch", args: { input: patch.replace("../outside", "new") } }] },
        { say: "Done." },
      ],
      {
        spec: { model: "gpt-5.2-codex" },
        prepare: async (worktree) => {
          await writeFile(join(worktree, "inside.txt"), "what is inside");
          await symlink("/etc", join(worktree, "link"));
        },
      },
    );
    const views = results.slice(0, 3);
    expect(views.filter((result) => result.includes("Only files in"))).toHaveLength(2);
    expect(views).toContain("what is inside");
    expect(results[3]).toContain("may be changed");
    expect(results[4]).toContain("Added 1 file");
    await expect(readFile(join(spec.workingDirectory, "../outside.txt"))).rejects.toThrow("ENOENT");
  });

  it("the git data of the worktree is not written by the file tools", async ({ work }) => {
    const { results } = await work(
      [
        { call: [{ tool: "create", args: { path: "{{cwd}}/.git/hooks/pre-commit", file_text: "x" } }] },
        { say: "Done." },
      ],
      { prepare: async (worktree) => void (await mkdir(join(worktree, ".git/hooks"), { recursive: true })) },
    );
    expect(results[0]).toContain("kept by the host");
  });

  it("a role without the shell has no tool for it, and no role has sub-agents or the web", async ({
    work,
  }) => {
    const { harness } = await work([{ say: "Done." }], { spec: { capabilities: ["read"] } });
    expect([...(harness.modelRequests[0]?.tools ?? [])].toSorted()).toEqual([
      "finish",
      "glob",
      "grep",
      "note",
      "refuse",
      "view",
    ]);
    expect(harness.modelRequests[0]?.authorization).toBe("Bearer the-provider-key");
  });

  it("no instruction, hook, server, agent or setting of the repository is taken up, in no request and by no command", async ({
    work,
  }) => {
    let planted = 0;
    const { harness, spec, results } = await work(
      [
        { call: [view("{{cwd}}/src/inside.txt"), shell("echo from the shell")] },
        { call: [{ tool: "create", args: { path: "{{cwd}}/src/new.txt", file_text: "new" } }] },
        { call: [{ tool: "note" }] },
        { say: "Done." },
      ],
      {
        prepare: async (worktree) => {
          planted = plantOrders(worktree, ranIn(worktree));
          await writeFile(join(worktree, "src/inside.txt"), "what is inside");
        },
      },
    );
    // The tools did work in the place where all of it lies.
    expect(results.join("\n")).toMatch(/what is inside[^]*from the shell/);
    const taken = [
      ...(JSON.stringify(harness.modelRequests).match(new RegExp(`${ORDER}[\\w-]*`, "g")) ?? []),
      ...(await readdir(ranIn(spec.workingDirectory))),
    ];
    expect(taken).toEqual([]);
    const system = textsOf(harness.requests()[0], "system").join("\n");
    expect(system).toBe(`${spec.systemPrompt}\n\n${toolGuidance(spec.capabilities)}`);
    proved({
      promise: "The runtime takes no instruction, hook, server or setting from a repository.",
      test: "test/adapters/runtimes/copilot/isolation.test.ts",
      figure: `${taken.length} of ${planted} planted files taken up, ${harness.modelRequests.length} requests searched`,
    });
  });

  it("a terminal tool does not wait for a shell in the background, and stop ends that shell", async ({
    work,
    expect: localExpect,
  }) => {
    const { session, spec } = await work(
      [
        {
          call: [
            {
              tool: "bash",
              args: { command: "sleep 1000", description: "long", mode: "async", detach: true },
            },
          ],
        },
        { call: [{ tool: "bash", args: { command: "sleep 1001", description: "long", mode: "async" } }] },
        { call: [shell("(setsid sleep 1002 > left.txt 2>&1 &)")] },
        { call: [{ tool: "finish", args: { summary: "done" } }] },
      ],
      {},
    );
    // The runtime, and the shell that it does not know of.
    const left = () => markedProcesses([spec.sessionId]);
    await localExpect.poll(left, { timeout: 10_000 }).toHaveLength(2);
    await session.stop();
    expect(await left()).toEqual([]);
  });
});
