import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { formsOf } from "../../src/domain/access/secret-forms.ts";
import { startRegistry } from "../adapters/sandbox/a-registry.ts";
import { describeConfined } from "../adapters/sandbox/bubblewrap-here.ts";
import { putNpmPackage } from "../adapters/sandbox/packages.ts";
import { aScenario, call, saysOn } from "./a-scenario.ts";
import { filesHolding } from "./files-holding.ts";
import { startJourney } from "./journey.ts";

const ISSUE = 1;
const TOKEN = "npm_Tq7ZxW2mR9vKc4LbYh3Ns8Df";

/** What an agent would look at for a token, and its own use of the registry. */
const LOOK = `env > "$HOME/seen.txt"
for p in /proc/[0-9]*; do tr '\\0' '\\n' < $p/environ; tr '\\0' '\\n' < $p/cmdline; done >> "$HOME/seen.txt" 2>&1
cp -r /run "$HOME/run" 2>/dev/null; npm view @acme/left version; cat "$HOME/seen.txt"`;

const REQUIRED = `node -p "require('@acme/left')"`;

describeConfined("a repository whose packages are in a private registry", { timeout: 180_000 }, () => {
  it("is set up, worked on and proven, and its token is in nothing that Flotilla keeps or says", async () => {
    const root = mkdtempSync(join(tmpdir(), "flotilla-registry-"));
    onTestFinished(() => rmSync(root, { recursive: true, force: true }));
    const registry = await startRegistry(`Bearer ${TOKEN}`);
    const url = `http://127.0.0.1:${registry.port}/npm/`;
    const lock = putNpmPackage(registry, root, url);
    const journey = await startJourney({
      confined: true,
      env: { NPM_TOKEN: TOKEN },
      scenario: aScenario({
        config: {
          sandbox: { mode: "bubblewrap", network: "proxy", private_hosts: ["127.0.0.1"] },
          registries: [{ kind: "npm", url, token_env: "NPM_TOKEN" }],
          setup: { commands: ["npm ci"] },
          evidence: { commands: [REQUIRED] },
        },
        conversations: [
          saysOn(ISSUE, [
            call("bash", { command: LOOK, description: "Look" }),
            call("bash", { command: `${REQUIRED} > made.txt`, description: "Make it" }),
            call("commit", { message: "Add made.txt" }),
            call("open_pr", { title: "Add made.txt", body: "As asked." }),
            call("report_complete", { summary: "It is there." }),
          ]),
        ],
      }),
    });
    onTestFinished(() => journey.close());
    const octocat = journey.github.as("octocat");
    const manifest = '{"name":"project","version":"1.0.0","dependencies":{"@acme/left":"1.0.0"}}';
    const files = { ".gitignore": "node_modules\n", "package.json": manifest, "package-lock.json": lock };
    await octocat.push("main", files, "A project");
    await octocat.openIssue({ title: "Make it", body: "Please." });
    await octocat.label(ISSUE, "feature");
    await journey.reached(ISSUE, "COMPLETED");

    const ran = journey.rows("SELECT kind, command, exit_code, output FROM evidence ORDER BY id");
    expect(ran.filter(({ kind }) => kind !== "missing")).toMatchObject([
      { kind: "setup", command: "npm ci", exit_code: 0 },
      { kind: "setup", command: "npm ci", exit_code: 0 },
      { kind: "command", exit_code: 0, output: "left of acme\n" },
    ]);
    const shell = JSON.stringify(journey.rows("SELECT output FROM tool_call WHERE tool = 'bash'"));
    expect(shell).toContain("1.0.0");
    expect(shell).toContain(`npm_config_registry=http://127.0.0.1:3129/npm/`);

    expect(await journey.violationsAfterStop()).toEqual([]);
    const forms = [TOKEN, `Bearer ${TOKEN}`].flatMap(formsOf);
    // The data directory holds the transcript, the conversation, what the model was sent, home and worktree.
    expect(filesHolding(journey.dataDir, forms)).toEqual([]);
    const log = journey.served().log();
    expect(forms.filter((form) => log.includes(form))).toEqual([]);
  });
});
