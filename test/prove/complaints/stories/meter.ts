import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { makes, saysOn } from "../../../journeys/a-scenario.ts";
import { busy, numbered, opens } from "../issues.ts";
import { story } from "../story.ts";

const issues = numbered("eater", "dear", "cheap", "late");
const TOKENS = 12_000;
const MODELS = {
  dear: "dear-model",
  cheap: "cheap-model",
  eater: "dear-model",
  late: "cheap-model",
} as const;
const DAY = 3;

/** A provider that answers as the scripted model does, and says that nothing was used. */
async function lyingProvider() {
  let target = "";
  const server = createServer((request, response) => {
    void (async () => {
      const body = new Uint8Array(await buffer(request));
      const { host: _, connection: __, "content-length": ___, ...headers } = request.headers;
      const answer = await fetch(`${target}${request.url ?? ""}`, {
        method: request.method ?? "POST",
        headers: Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]),
        body,
      });
      const said = (await answer.text()).replaceAll(
        /"((?:prompt|completion|total)_tokens)":\s*\d+/g,
        '"$1":0',
      );
      response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "" });
      response.end(said);
    })().catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a server on a port has such an address
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    passTo: (origin: string) => void (target = origin),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A role for each model. */
function writeRoles(directory: string): string {
  mkdirSync(directory, { recursive: true });
  for (const [name, model] of Object.entries(MODELS))
    writeFileSync(
      join(directory, `${name}.md`),
      `---\ndescription: Works on anything.\nmodel: ${model}\ntools: [read, edit, shell, report_blocked, report_complete, escalate_to_human, commit, open_pr, comment]\n---\nDo what the issue asks, commit it, open the pull request, and end with exactly one report.\n`,
    );
  return directory;
}

export const metered = story({
  played:
    "a provider that says of each answer that nothing was used; roles with a dear and a cheap model, by label; and a repository that may start three agents a day",
  setting: async () => {
    const provider = await lyingProvider();
    return {
      config: {
        roles: Object.fromEntries(
          Object.keys(MODELS).map((name) => [
            name,
            { prompt: `${name}.md`, triggers: [{ event: "issues.labeled", label: name }] },
          ]),
        ),
        circuit_breakers: {
          roles: { eater: { max_tokens: TOKENS } },
          repository_per_day: { max_agents: DAY },
        },
      },
      configure: ({ dataDir, model }) => {
        provider.passTo(model.origin);
        return {
          agents_dir: writeRoles(join(dataDir, "../roles")),
          runtime: {
            model: MODELS.dear,
            prices: {
              [MODELS.dear]: { in: 20, cached: 5, out: 80 },
              [MODELS.cheap]: { in: 1, cached: 0.1, out: 4 },
            },
            provider: { type: "openai", base_url: `${provider.origin}/v1`, api_key_env: "MODEL_API_KEY" },
          },
        };
      },
      conversations: [
        saysOn(issues.eater, busy(60)),
        saysOn(issues.dear, makes("dear.md")),
        saysOn(issues.cheap, makes("cheap.md")),
        saysOn(issues.late, makes("late.md")),
      ],
      close: provider.close,
    };
  },
  async play(scene) {
    const { octocat } = scene;
    await opens(scene, issues);
    for (const name of ["dear", "cheap", "eater"] as const) await octocat.label(issues[name], name);
    const eater = await scene.reaches(issues.eater, ["ESCALATED", "SLEEPING", "FAILED"]);
    const dear = await scene.reaches(issues.dear, ["COMPLETED"]);
    const cheap = await scene.reaches(issues.cheap, ["COMPLETED"]);
    const calls = scene.asked(issues.eater);
    const answers = calls.at(-1)?.messages.filter(({ role }) => role === "assistant").length ?? 0;
    await octocat.label(issues.late, "late");
    const overBudget = await scene.hears(issues.late, /budget|today/);
    await scene.quiet();
    const late = (await scene.agents(issues.late)).at(-1);
    await octocat.comment(issues.late, "/flotilla budget +1 agents today");
    const raised = await scene.reaches(issues.late, ["COMPLETED"]);
    const ledger = await scene.command("ledger", "--by", "issue", "--json");
    const models = (issue: number) => [...new Set(scene.asked(issue).map(({ model }) => model))];
    return {
      eater,
      dear,
      cheap,
      calls: calls.length,
      answers,
      overBudget,
      late,
      raised,
      text: ledger.stdout,
      dearModels: models(issues.dear),
      cheapModels: models(issues.cheap),
    };
  },
  checks: {
    13: ({ dear, cheap, dearModels, cheapModels, overBudget, late, raised }) => ({
      holds: [
        [
          "a label chooses a role with a dear model, another one with a cheap one",
          dear !== null &&
            cheap !== null &&
            dearModels.join() === MODELS.dear &&
            cheapModels.join() === MODELS.cheap,
        ],
        [
          `a repository's budget of a day holds the fourth agent: ${late?.state ?? "?"}`,
          late?.state === "CREATED" && overBudget !== null,
        ],
        ["a comment raises it for today", raised?.state === "COMPLETED"],
      ],
    }),
    14: ({ eater, calls, text }) => ({
      holds: [
        [
          `an agent is stopped by its tokens though its provider reports none: after ${calls} calls, at ${eater?.tokens ?? 0}`,
          eater?.state === "ESCALATED" && (eater.tokens ?? 0) > TOKENS / 2,
        ],
        ["its calls are counted as they pass", eater !== null && Math.abs(eater.turns - calls) <= 1],
        ["what models wrote is counted, too", !/"tokens_out":\s*0[,\s}]/.test(text)],
      ],
    }),
  },
});
