import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { AgentCalls } from "../../../../src/adapters/runtimes/acp/agent-calls.ts";
import { answerHook, answerPermission } from "../../../../src/adapters/runtimes/acp/permissions.ts";
import type { CallEnd, ToldCall } from "../../../../src/adapters/runtimes/gateway/session-gateway.ts";
import type { Capability, RuntimeTool, ToolGate } from "../../../../src/domain/ports/agent-runtime.ts";
import { temporaryDirectory } from "../../store/temporary.ts";

const OPTIONS = [
  { optionId: "always", kind: "allow_always" },
  { optionId: "once", kind: "allow_once" },
  { optionId: "never", kind: "reject_once" },
];
const ALLOWED = { outcome: { outcome: "selected", optionId: "once" } };
const REJECTED = { outcome: { outcome: "selected", optionId: "never" } };

const pathOf = (args: unknown) => [String(Object(args)["path"])];

/** An agent with a shell and tools for files, in a worktree; its model has made these calls. */
function given(
  made: readonly ToldCall[],
  {
    gate = () => ({ allow: true }),
    capabilities = ["read", "edit", "shell"],
  }: { gate?: ToolGate; capabilities?: Capability[] } = {},
) {
  const root = temporaryDirectory();
  const workingDirectory = join(root, "worktree");
  for (const path of ["worktree/.git", "base/home", "outside"])
    mkdirSync(join(root, path), { recursive: true });
  const asked: unknown[] = [];
  const ends = new Map<string, CallEnd>();
  const denied: string[] = [];
  const happened: string[] = [];
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  const parts = {
    spec: {
      workingDirectory,
      baseDirectory: join(root, "base"),
      capabilities,
      tools: [
        {
          name: "note",
          description: "",
          parameters: {},
          terminal: false,
          call: () => Promise.resolve({ ok: true, text: "" }),
        },
      ],
    },
    preset: {
      toolName: (raw: string) => raw.replace("mcp__flotilla__", ""),
      tools: new Map<string, RuntimeTool>([
        ["bash", { kind: "shell", capability: "shell" }],
        ["view", { kind: "read", capability: "read" }],
        ["write", { kind: "edit", capability: "edit", paths: pathOf }],
        ["web", { kind: "network", capability: null }],
      ]),
    },
    calls: new AgentCalls(
      {
        sessionId: "s",
        gate: (call) => {
          asked.push(call);
          return gate(call);
        },
        onEvent: () => undefined,
      },
      {
        log,
        gateway: {
          calls: () => made.filter(({ id }) => !ends.has(id)),
          told: (id, end) => void ends.set(id, end),
        },
      },
    ),
    limit: () => void happened.push("limit"),
    denied: (_: ToldCall, reason: string) => void denied.push(reason),
  };
  return {
    root,
    asked,
    ends,
    denied,
    happened,
    ask: (toolCall: object, options = OPTIONS) =>
      answerPermission({ toolCall: { toolCallId: "?", ...toolCall }, options }, parts),
    hook: (body: unknown) => answerHook(body, parts),
  };
}

const bash = (id: string, command: string): ToldCall => ({ id, name: "bash", args: { command } });

it.each([
  ["its id", { toolCallId: "c2" }],
  ["its arguments", { rawInput: { command: "two" } }],
])("finds the model's call by %s, and asks the gate with the model's own words", async (_, toolCall) => {
  const { ask, asked } = given([bash("c1", "one"), bash("c2", "two")]);
  expect(await ask(toolCall)).toEqual(ALLOWED);
  expect(asked).toEqual([{ toolName: "bash", args: { command: "two" } }]);
});

it("finds a call by its name among several, else takes the first that was not asked about", async () => {
  const made: ToldCall[] = [{ id: "c1", name: "view", args: {} }, bash("c2", "two"), bash("c3", "three")];
  const { ask, asked } = given(made);
  await ask({ title: "bash: two words" });
  await ask({ name: "bash" });
  await ask({});
  expect(asked).toEqual([
    { toolName: "bash", args: { command: "two" } },
    { toolName: "bash", args: { command: "three" } },
    { toolName: "view", args: {} },
  ]);
});

it("asks the gate once, however often the agent asks", async () => {
  const { ask, asked, hook } = given([bash("c1", "one")]);
  await Promise.all([ask({ toolCallId: "c1" }), hook({ tool_name: "bash", tool_input: { command: "one" } })]);
  await ask({ toolCallId: "c1" });
  expect(asked).toHaveLength(1);
});

it("rejects what the model has not called, and what it has called is over", async () => {
  const { ask, asked, ends } = given([bash("c1", "one")]);
  ends.set("c1", { ok: true, denied: false, output: "" });
  expect(await ask({ toolCallId: "c1", rawInput: { command: "one" } })).toEqual(REJECTED);
  expect(asked).toEqual([]);
});

it("lets calls of our tools pass, since the gate stands before them elsewhere", async () => {
  const { ask, asked } = given([{ id: "c1", name: "note", args: {} }]);
  expect(await ask({ toolCallId: "c1" })).toEqual(ALLOWED);
  expect(asked).toEqual([]);
});

it("takes a question that fits no call for one about the agent's own tools, so that the gate is asked", async () => {
  const { ask, asked } = given([{ id: "c1", name: "note", args: {} }, bash("c2", "two")]);
  expect(await ask({ title: "Something else" })).toEqual(ALLOWED);
  expect(asked).toEqual([{ toolName: "bash", args: { command: "two" } }]);
});

it.each([
  ["the name", { title: "echo note", kind: "execute" }],
  ["the arguments", { rawInput: { command: "two" } }],
])("a command with %s of a tool of ours does not pass the gate as that tool", async (_, toolCall) => {
  const { ask, asked } = given([{ id: "c1", name: "note", args: { command: "two" } }, bash("c2", "two")]);
  expect(await ask(toolCall)).toEqual(ALLOWED);
  expect(asked).toEqual([{ toolName: "bash", args: { command: "two" } }]);
});

it.each(["execute", "edit", "delete", "move", "read", "search", "fetch"])(
  "rejects a question of the kind %s that the model has not called, though a tool of ours is called",
  async (kind) => {
    const { ask, asked } = given([{ id: "c1", name: "note", args: {} }]);
    expect(await ask({ kind, title: "note", rawInput: {} })).toEqual(REJECTED);
    expect(asked).toEqual([]);
  },
);

it.each([{ kind: "other", title: "note" }, { title: "A question of its own" }])(
  "lets a question pass that may be about our tool: %o",
  async (toolCall) => {
    const { ask } = given([{ id: "c1", name: "note", args: {} }]);
    expect(await ask(toolCall)).toEqual(ALLOWED);
  },
);

it("tells a denial with its reason, and ends the exchange where the gate says so", async () => {
  const { ask, ends, denied, happened } = given([bash("c1", "one")], {
    gate: () => ({ allow: false, reason: "limit of 3 calls", endExchange: true }),
  });
  expect(await ask({ toolCallId: "c1" })).toEqual(REJECTED);
  expect([...ends]).toEqual([["c1", { ok: false, denied: true, output: "limit of 3 calls" }]]);
  expect(denied).toEqual(["limit of 3 calls"]);
  expect(happened).toEqual(["limit"]);
});

it("cancels where the agent offers no fitting answer", async () => {
  const { ask } = given([bash("c1", "one"), bash("c2", "two")]);
  const always = OPTIONS.slice(0, 1);
  expect(await ask({ toolCallId: "c1" }, always)).toEqual({ outcome: { outcome: "cancelled" } });
});

it("refuses a request that nobody understands", async () => {
  const { ask } = given([]);
  await expect(ask({ toolCallId: 7 })).rejects.toMatchObject({ code: -32_602 });
});

it.each<[string, string, Capability[], string]>([
  ["a tool that the role has not", "bash", ["read"], "This role has no tools of the kind shell."],
  ["a tool that no role gets", "web", ["read", "edit", "shell"], "There is no tool web for this role."],
  ["an unknown tool", "other", ["shell"], "There is no tool other for this role."],
])("denies %s without asking the gate", async (_, name, capabilities, reason) => {
  const { ask, asked, denied } = given([{ id: "c1", name, args: {} }], {
    capabilities,
  });
  expect(await ask({ toolCallId: "c1" })).toEqual(REJECTED);
  expect(denied).toEqual([reason]);
  expect(asked).toEqual([]);
});

it.each([
  ["writes", "worktree/a.ts", true],
  ["writes", "worktree/.git/config", false],
  ["writes", "worktree/link/a.ts", false],
  ["writes", "outside/a.ts", false],
  ["writes", "base/home/a.ts", true],
  ["reads", "worktree/a.ts", true],
  ["reads", "outside/secret", false],
  ["reads", "worktree/link/secret", false],
])("a call that %s %s is allowed: %s", async (act, path, isAllowed) => {
  const call = { id: "c1", name: act === "writes" ? "write" : "view", args: {} };
  const made: ToldCall[] = [];
  const { ask, root } = given(made);
  symlinkSync(join(root, "outside"), join(root, "worktree/link"));
  writeFileSync(join(root, "outside/secret"), "");
  const where = join(root, path);
  made.push(act === "writes" ? { ...call, args: { path: where } } : call);
  const locations = act === "reads" ? [{ path: where }] : [];
  expect(await ask({ toolCallId: "c1", locations })).toEqual(isAllowed ? ALLOWED : REJECTED);
});

it("finds the call of a hook by the model's id first", async () => {
  const { hook, asked } = given([bash("c1", "one"), bash("c2", "two")]);
  await hook({ tool_name: "Bash", tool_input: { command: "one" }, tool_use_id: "c2" });
  expect(asked).toEqual([{ toolName: "bash", args: { command: "two" } }]);
});

it("answers a hook by the tool's name and arguments, with the reason of a denial", async () => {
  let asked = 0;
  const { hook } = given([bash("c1", "one"), { id: "c2", name: "note", args: {} }], {
    gate: () => {
      asked += 1;
      return { allow: false, reason: "not on a Sunday", endExchange: false };
    },
  });
  expect(await hook({ tool_name: "bash", tool_input: { command: "one" } })).toEqual({
    allow: false,
    reason: "not on a Sunday",
  });
  expect(await hook({ tool_name: "mcp__flotilla__note", tool_input: {} })).toEqual({
    allow: true,
    reason: "",
  });
  expect(asked).toBe(1);
  expect(await hook({ tool_name: "view" })).toMatchObject({ allow: false });
  expect(await hook("nonsense")).toMatchObject({ allow: false });
});
