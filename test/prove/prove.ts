import { spawnSync } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { proveCluster } from "./cluster/main.ts";
import { proveComplaints } from "./complaints/main.ts";
import { proofTable, readProofs } from "./proof-table.ts";
import { proveUpgrade } from "./upgrade/main.ts";

/**
 * `npm run prove`: runs every test that shows a promise, the long forms too, and prints what each has shown with its
 * figure. Ends with 1 when a test fails, or when one that should show something has said nothing.
 *
 * `npm run prove -- cluster [--small] [--seed N] [--kills N …] [--write]`: disturbs several processes on one database
 * instead. `npm run prove -- upgrade [--minutes 10] [--seed N] [--write]`: replaces them by another version, and back. See
 * docs/performance.md. `npm run prove -- complaints [--only N …] [--write]`: plays what users of such systems complain about.
 */
const [only, ...args] = process.argv.slice(2);
if (only === "cluster") process.exit(await proveCluster(args));
if (only === "complaints") process.exit(await proveComplaints(args));
if (only === "upgrade") process.exit(await proveUpgrade(args));
if (only !== undefined)
  throw new Error(`npm run prove takes nothing, cluster, upgrade or complaints, and not ${only}`);
const root = join(import.meta.dirname, "../..");
const files = globSync("test/**/*.test.ts", { cwd: root })
  .filter((file) => /\bproved\(|\bproof:/.test(readFileSync(join(root, file), "utf8")))
  .toSorted();
const directory = mkdtempSync(join(tmpdir(), "flotilla-prove-"));
const proofs = join(directory, "proofs.jsonl");
process.stdout.write(`${files.length} files of tests show promises; this takes some minutes.\n`);
const run = spawnSync("vitest", ["run", ...files], {
  cwd: root,
  env: { ...process.env, FLOTILLA_PROOFS: proofs },
  stdio: "inherit",
});
const shown = readProofs(proofs);
rmSync(directory, { recursive: true, force: true });
const say = (text: string) => process.stdout.write(`${text}\n`);
say(`\n${proofTable(shown)}\n`);
const silent = files.filter((file) => !shown.some(({ test }) => test === file));
for (const file of silent) say(`Nothing was shown by ${file}.`);
process.exit(run.status === 0 && silent.length === 0 ? 0 : 1);
