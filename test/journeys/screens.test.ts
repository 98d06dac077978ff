import { readFileSync } from "node:fs";
import sharp from "sharp";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readProcesses } from "../../src/adapters/sandbox/process-table.ts";
import { describeWithCamera } from "../adapters/screens/camera-here.ts";
import { aScenario, call, saysOn } from "./a-scenario.ts";
import { type Journey, startJourney } from "./journey.ts";

const ISSUE = 1;
/** The file as the documentation shows it. */
const [, RECIPE = ""] =
  /## Pictures of your app\n.*?```yaml\n(evidence:\n.*?)```/s.exec(
    readFileSync("docs/repository-file.md", "utf8"),
  ) ?? [];
const SERVER = `import { readFileSync } from "node:fs";
import { createServer } from "node:http";
createServer(({ url }, response) => {
  const colour = url === "/" ? readFileSync("colour.txt", "utf8").trim() : "white";
  response.setHeader("content-type", "text/html").end(\`<body style="background: \${colour}"><h1>Shop</h1>\`);
}).listen(3000, "localhost");
`;
const PACKAGE = JSON.stringify({
  type: "module",
  scripts: { start: "node server.js", test: "node --check server.js" },
});

describeWithCamera("a repository whose app has pages", { timeout: 480_000 }, () => {
  let journey: Journey;
  beforeAll(async () => {
    journey = await startJourney({
      confined: true,
      // Two starts of the app and eight pages, on a machine that other tests share.
      patience: 400,
      env: { PUBLIC_URL: "https://flotilla.example" },
      scenario: aScenario({
        conversations: [
          saysOn(ISSUE, [
            call("bash", { command: "echo green > colour.txt", description: "Change the colour" }),
            call("commit", { message: "A green shop" }),
            call("open_pr", { title: "A green shop", body: "As asked." }),
            call("report_complete", { summary: "It is green." }),
          ]),
        ],
      }),
    });
    const octocat = journey.github.as("octocat");
    const files = {
      ".github/flotilla.yml": RECIPE,
      "package.json": PACKAGE,
      "server.js": SERVER,
      "colour.txt": "blue\n",
    };
    await octocat.push("main", files, "The shop");
    await octocat.openIssue({ title: "Make it green", body: "Please." });
    await octocat.label(ISSUE, "feature");
    await journey.reached(ISSUE, "COMPLETED");
    await journey.quiet();
  }, 480_000);
  afterAll(() => journey.close());

  it("has a green page after an agent's work that was blue before, and one that is the same", async () => {
    const rows = journey.rows(
      "SELECT page, size, changed, before_fault, after_fault FROM screen ORDER BY id",
    );
    const fine = { before_fault: null, after_fault: null };
    expect(rows).toMatchObject([
      { page: "start", size: "1280x800", ...fine },
      { page: "start", size: "390x844", ...fine },
      { page: "orders", size: "1280x800", changed: 0, ...fine },
      { page: "orders", size: "390x844", changed: 0, ...fine },
    ]);
    expect(Number(rows[0]?.["changed"])).toBeGreaterThan(0.95);
  });

  it("the facts say how much changed and link to the pictures, which people see before and after", async () => {
    const [agent] = journey.rows("SELECT name FROM agent WHERE issue = ?", ISSUE);
    const key = encodeURIComponent(`acme/app:${String(agent?.["name"])}`);
    const body = journey.github.state().pulls().at(-1)?.body;
    expect(body).toContain(`[Pictures of the app](https://flotilla.example/agents/${key}#screens)`);
    expect(body).toMatch(/ {2}- start, 1280x800: \d+\.\d % of its pixels changed\n/);
    expect(body).toContain("  - orders, 390x844: nothing changed\n");
    const { origin, hash } = new URL(journey.dashboard());
    const headers = { authorization: `Bearer ${hash.replace("#token=", "")}` };
    const [first] = journey.rows("SELECT id FROM screen ORDER BY id");
    const colourOf = async (which: string) => {
      const answer = await fetch(`${origin}/api/agents/${key}/screens/${String(first?.["id"])}/${which}`, {
        headers,
      });
      const pixels = await sharp(await answer.arrayBuffer())
        .raw()
        .toBuffer();
      return [...pixels.subarray(-3)];
    };
    expect([await colourOf("before"), await colourOf("after"), await colourOf("difference")]).toEqual([
      [0, 0, 255],
      [0, 128, 0],
      [220, 20, 60],
    ]);
  });

  it("keeps the rules, and nothing of the browser is left", async () => {
    expect(await journey.violationsAfterStop()).toEqual([]);
    const left = (await readProcesses()).filter(({ environment }) =>
      environment.some((line) => line.includes(journey.dataDir)),
    );
    expect(left).toEqual([]);
  });
});
