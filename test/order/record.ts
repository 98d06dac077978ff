import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startLocalGitHub } from "../../src/demo/github/start.ts";
import { print } from "../domain/traces/print.ts";
import { HEAD, type Webhook } from "./life.ts";
import { LIVES, type Told } from "./lives.ts";
import { small } from "./small.ts";

/** `node test/order/record.ts` lets the lives happen on the local GitHub and keeps what it sends of them. */
for (const life of LIVES) {
  const url = new URL(`../fixtures/lives/${life.name}.json`, import.meta.url);
  const text = await record(life);
  writeFileSync(url, text);
  print(`${life.name}: ${text.length} bytes`);
}

async function record({ name, tell }: Told): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), "flotilla-record-"));
  const moments: Webhook[][] = [[]];
  let own: string | undefined;
  let heard = true;
  let seen = 0;
  const github = await startLocalGitHub({
    directory,
    organization: "acme",
    repositories: [{ name: "shop", labels: ["feature", "later"] }],
    people: { alice: "write", bob: "write", eve: "read" },
    observe: {
      webhook: ({ event, payload }) => {
        if (!heard) return;
        seen += 1;
        moments.at(-1)?.push({ guid: `${name}-${seen}`, ...small(event, payload) });
      },
    },
  });
  try {
    await tell({
      github,
      next: () => void moments.push([]),
      async aside(act) {
        heard = false;
        await act();
        heard = true;
      },
      head: (commit) => {
        own = commit;
      },
    });
  } finally {
    await github.close();
    rmSync(directory, { recursive: true, force: true });
  }
  const text = moments.map((moment) => `[\n${moment.map((one) => JSON.stringify(one)).join(",\n")}\n]`);
  const life = `{ "name": "${name}", "moments": [${text.join(", ")}] }\n`;
  const placed = life.replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, "https://github.test");
  return own === undefined ? placed : placed.replaceAll(own, HEAD);
}
