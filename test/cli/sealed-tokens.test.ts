import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { OpenStore } from "../../src/adapters/store/database.ts";
import { GitHubError } from "../../src/domain/kernel/errors.ts";
import type { NodeTokens } from "../../src/domain/ports/github-app.ts";
import { LEASE_MS } from "../../src/domain/recovery/node.ts";
import type { NodeRole } from "../../src/domain/recovery/node-roles.ts";
import { ChangeSignal } from "../../src/engine/kernel/change-signal.ts";
import { aboutRequest, askForTokens } from "../../src/server/sealed-tokens/ask-for-token.ts";
import { giveTokens } from "../../src/server/sealed-tokens/give-tokens.ts";
import { newSealKeys, seal, unseal } from "../../src/server/sealed-tokens/seal.ts";
import { SILENT } from "../adapters/github/mocked-github.ts";
import { effect, insertAgent } from "../adapters/store/samples.ts";
import { aNode } from "../factories/a-node.ts";
import { memoryStore } from "../factories/memory-store.ts";
import { createFakeClock } from "../fakes/clock.ts";

const AT = 1_000_000;
const keys = newSealKeys();
/** What Node says of a text that the key does not open. */
const UNAUTHENTIC = /unable to authenticate/i;

/** A GitHub that makes no tokens. */
const failing = (consequence: "tell" | "retry"): NodeTokens => ({
  tokenFor: () => Promise.reject(new GitHubError("forbidden", "not installed", 403, { consequence })),
});

describe("a sealed text", () => {
  it("is opened by its key, as the answer to its question alone", () => {
    const sealed = seal(keys.publicKey, "token", "question");
    expect(sealed).not.toContain("token");
    expect(unseal(keys, sealed, "question")).toBe("token");
    expect(seal(keys.publicKey, "token", "question")).not.toBe(sealed);
    expect(() => unseal(keys, sealed, "another question")).toThrow(UNAUTHENTIC);
    expect(() => unseal(newSealKeys(), sealed, "question")).toThrow(UNAUTHENTIC);
  });

  it("is refused where a part of it was changed", () => {
    const parts = seal(keys.publicKey, "token", "question").split(".");
    for (const at of parts.keys()) {
      const changed = parts.map((part, index) => {
        if (index !== at) return part;
        const bytes = Buffer.from(part, "base64url");
        bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
        return bytes.toString("base64url");
      });
      expect(() => unseal(keys, changed.join("."), "question")).toThrow(UNAUTHENTIC);
    }
    expect(() => unseal(keys, "nothing", "question")).toThrow("not a sealed text");
    expect(() => seal("no key", "token", "question")).toThrow(/key|asn1|DECODER|unsupported/i);
  });
});

describe("a node without the App's key", () => {
  let store: OpenStore;
  let made: string[];
  const clock = createFakeClock(AT);
  const told = new ChangeSignal();
  beforeEach(async () => {
    store = memoryStore();
    made = [];
  });
  afterEach(() => store.close());

  const begin = async (role: NodeRole) => {
    const node = aNode("build-7", { roles: [role], publicKey: keys.publicKey });
    return { name: node.name, epoch: await store.nodes.begin({ ...node, now: clock.now() }) };
  };
  const tokenFor: NodeTokens["tokenFor"] = async ({ id }, use) => {
    made.push(`${use} ${id}`);
    return { token: `token for ${use}`, expiresAt: AT + 5 };
  };
  const give = (github: NodeTokens = { tokenFor }) => giveTokens({ store, github, clock, log: SILENT })();
  const asking = (life: { readonly name: string; readonly epoch: number }) =>
    askForTokens({ store, keys, life: () => life, told: () => told.next(), clock });

  /** Asks, lets a controller look, and returns what comes back. */
  async function asked(role: NodeRole, purpose: "git" | "api", github?: NodeTokens): Promise<unknown> {
    const life = await begin(role);
    const { repositoryId } = await insertAgent(store, { node: role === "runner" ? "build-7" : "build-8" });
    const answer = asking(life)({ purpose, repositoryId }).catch((error: unknown) => error);
    await tillOpen();
    await give(github);
    clock.advance(200);
    return answer;
  }
  async function tillOpen(): Promise<void> {
    while ((await store.tokenRequests.open(1)).length === 0) await Promise.resolve();
  }

  it("gets tokens for the repositories of its agents, for git and for what agents read", async () => {
    expect(await asked("runner", "git")).toEqual({ token: "token for git", expiresAt: AT + 5 });
    expect(made).toEqual(["git 7"]);
    expect(await store.tokenRequests.get(1)).toBeUndefined();
  });

  it("gets one for reading alone where it serves the page", async () => {
    expect(await asked("web", "api")).toMatchObject({ token: "token for reading" });
  });

  it.each([
    ["web", "git"],
    ["intake", "api"],
    ["controller", "git"],
  ] as const)("gets none as %s for %s", async (role, purpose) => {
    expect(String(await asked(role, purpose))).toContain(
      "no agent of the repository is at work on the machine",
    );
    expect(made).toEqual([]);
  });

  it("gets none for a repository in which it has no agent", async () => {
    const life = await begin("runner");
    const { repositoryId } = await insertAgent(store, { node: "build-8" });
    await store.tokenRequests.add({
      node: life.name,
      epoch: life.epoch,
      purpose: "git",
      repositoryId,
      askedAt: AT,
    });
    await give();
    expect(await store.tokenRequests.get(1)).toMatchObject({ sealed: null, refusal: expect.any(String) });
  });

  it("gets none for an agent that has ended, unless something of it is left to do", async () => {
    const life = await begin("runner");
    const { id: agentId, repositoryId } = await insertAgent(store, { node: "build-7", state: "COMPLETED" });
    const asks = { node: life.name, epoch: life.epoch, purpose: "git", repositoryId, askedAt: AT } as const;
    await store.tokenRequests.add(asks);
    await give();
    expect(await store.tokenRequests.get(1)).toMatchObject({ sealed: null, refusal: expect.any(String) });
    await store.effects.add([effect({ key: "archive", agentId })]);
    await store.tokenRequests.add(asks);
    await give();
    expect(made).toEqual(["git 7"]);
  });

  it("gets none for an earlier life, nor once it is lost", async () => {
    const life = await begin("runner");
    const { repositoryId } = await insertAgent(store, { node: "build-7" });
    const row = { node: life.name, purpose: "git", repositoryId, askedAt: AT } as const;
    await store.tokenRequests.add({ ...row, epoch: life.epoch - 1 });
    await give();
    clock.advance(LEASE_MS);
    await store.tokenRequests.add({ ...row, epoch: life.epoch });
    await give();
    const over = { sealed: null, refusal: "this life of the machine is over" };
    expect([await store.tokenRequests.get(1), await store.tokenRequests.get(2)]).toMatchObject([over, over]);
    expect(made).toEqual([]);
  });

  it("is told why GitHub makes none, and waits while GitHub is away", async () => {
    expect(String(await asked("runner", "git", failing("tell")))).toContain("not installed");
    const waiting = asking({ name: "build-7", epoch: 1 })({ purpose: "git", repositoryId: 7 });
    await tillOpen();
    await give(failing("retry"));
    expect(await store.tokenRequests.open(1)).toHaveLength(1);
    await give();
    clock.advance(200);
    expect(await waiting).toMatchObject({ token: "token for git" });
  });

  it("has its answer at once where it is told that another process has written", async () => {
    const life = await begin("runner");
    const { repositoryId } = await insertAgent(store, { node: "build-7" });
    const answer = asking(life)({ purpose: "git", repositoryId });
    await tillOpen();
    await give();
    told.tell();
    expect(await answer).toMatchObject({ token: "token for git" });
  });

  it("gives up where no controller answers, and leaves nothing behind", async () => {
    const life = await begin("runner");
    const answer = asking(life)({ purpose: "git", repositoryId: 1 }).catch((error: unknown) => error);
    await tillOpen();
    const isOver = answer.then(() => true);
    while (!(await Promise.race([isOver, Promise.resolve(false)]))) {
      clock.advance(200);
      await store.tokenRequests.get(1);
    }
    expect(await answer).toMatchObject({ code: "unavailable", consequence: "retry" });
    expect(await store.tokenRequests.open(1)).toEqual([]);
  });

  it("leaves requests that are dropped a minute later when it dies", async () => {
    const look = giveTokens({ store, github: { tokenFor }, clock, log: SILENT });
    await store.tokenRequests.add({
      node: "gone",
      epoch: 1,
      purpose: "git",
      repositoryId: 1,
      askedAt: clock.now(),
    });
    await look();
    clock.advance(60_001);
    await look();
    expect(await store.tokenRequests.get(1)).toBeUndefined();
  });

  it("asks anew each time: an answer does not open as another's", () => {
    const one = { id: 1, node: "a", epoch: 1, purpose: "git", repositoryId: 7 } as const;
    const texts = [one, { ...one, id: 2 }, { ...one, repositoryId: 8 }, { ...one, purpose: "api" as const }];
    expect(new Set(texts.map(aboutRequest)).size).toBe(4);
  });
});
