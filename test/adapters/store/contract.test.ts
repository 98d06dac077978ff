import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { openStore } from "../../../src/adapters/store/sqlite/open.ts";
import { storeContract } from "../../contracts/store.ts";

const dir = mkdtempSync(join(tmpdir(), "flotilla-store-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));
let files = 0;

storeContract("file", () => {
  files += 1;
  return openStore({ path: join(dir, `${files}.db`) });
});
storeContract("memory", () => openStore({ path: ":memory:" }));
