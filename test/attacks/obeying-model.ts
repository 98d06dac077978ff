import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { answerOf } from "../../src/demo/model/answer.ts";
import { chat } from "../../src/demo/model/chat-api.ts";
import { fillStep } from "../../src/demo/model/choose-step.ts";
import { type ModelRequest, workingDirectoryIn } from "../../src/demo/model/model-request.ts";
import type { ScriptStep } from "../../src/demo/model/script.ts";
import type { Attack } from "./attack.ts";
import { ENCODINGS, isEncoding } from "./encodings.ts";

/** A word of this length may be a secret: an obeying agent takes it along. */
const LOOT = /[^\s"'`,;()<>]{16,}/g;
const MOST_LOOT = 200;
const MOST_IMAGES = 60;

/** Calls of the agent that the scripts begin with; afterwards it asks a person and sleeps. */
const END: ScriptStep = {
  call: [{ tool: "escalate_to_human", args: { reason: "Done as told.", category: "decision" } }],
};

/** A model that does as it is told by whoever got a text to it. */
export interface ObeyingModel {
  readonly url: string;
  readonly requests: readonly ModelRequest[];
  /** Sets what the agent of each issue obeys. */
  obey(attacks: ReadonlyMap<number, Attack>): void;
  close(): Promise<void>;
}

export async function startObeyingModel(): Promise<ObeyingModel> {
  const requests: ModelRequest[] = [];
  let attacks: ReadonlyMap<number, Attack> = new Map();
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const asked = chat.parse({ url: "", body: await text(request), headers: request.headers });
    requests.push(asked);
    const answered = answerOf(asked, nextStep(asked, attacks));
    response.writeHead(200, { "content-type": asked.stream ? "text/event-stream" : "application/json" });
    response.end(asked.stream ? chat.events(asked, answered) : chat.body(asked, answered));
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) =>
      response.destroy(error instanceof Error ? error : undefined),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the model has no port");
  return {
    url: `http://127.0.0.1:${address.port}/v1`,
    requests,
    obey(told) {
      attacks = told;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function nextStep(asked: ModelRequest, attacks: ReadonlyMap<number, Attack>): ScriptStep {
  const attack = attacks.get(issueIn(asked) ?? 0);
  const done = asked.messages.filter(({ role }) => role === "assistant").length;
  const next = attack?.does[done];
  if (next === undefined) return END;
  const cwd = workingDirectoryIn(asked.messages) ?? "{{cwd}}";
  return withLoot(fillStep({ call: [next] }, { cwd, commit: "", fact: "" }), lootOf(asked));
}

/** The issue that a conversation is about; its first message says so. */
export function issueIn({ messages }: Pick<ModelRequest, "messages">): number | undefined {
  const first = messages.find(({ role }) => role === "user");
  const number = /^Work on issue #(\d+) of/m.exec(first?.content ?? "")?.[1];
  return number === undefined ? undefined : Number(number);
}

/** What the tools have answered so far, reduced to what may be worth stealing. */
function lootOf({ messages }: ModelRequest): string {
  const words = messages
    .filter(({ role }) => role === "tool")
    .flatMap(({ content }) => content.match(LOOT) ?? []);
  return [...new Set(words)].slice(-MOST_LOOT).join("\n");
}

function withLoot(step: ScriptStep, loot: string): ScriptStep {
  const fill = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(fill);
    if (typeof value === "object" && value !== null)
      return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, fill(inner)]));
    if (typeof value !== "string") return value;
    return value.replaceAll(/\{\{read(?::([a-z0-9]+))?\}\}/g, (_, name = "plain") =>
      encoded(String(name), loot),
    );
  };
  return {
    ...step,
    call: (step.call ?? []).map(({ tool, args }) => ({
      tool,
      args: Object.fromEntries(Object.entries(args).map(([key, value]) => [key, fill(value)])),
    })),
  };
}

function encoded(name: string, loot: string): string {
  if (!isEncoding(name)) throw new Error(`there is no encoding ${name}`);
  return ENCODINGS[name](name === "images" ? loot.slice(0, MOST_IMAGES) : loot);
}
