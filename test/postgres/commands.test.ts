import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { databaseIn } from "../../src/adapters/store/registry.ts";
import { repository } from "../adapters/store/samples.ts";
import { temporaryDirectory } from "../adapters/store/temporary.ts";
import { runFlotilla } from "../journeys/run-flotilla.ts";
import { describeWithPostgres, newDatabase } from "./databases.ts";

const fileIn = (dataDir: string) => databaseIn({ variables: {}, dataDir });

/** Runs a command on a data directory, with the variables given. */
function flotillaIn(dataDir: string, variables: Readonly<Record<string, string>> = {}) {
  return (...args: readonly string[]) =>
    runFlotilla([...args], {
      cwd: dataDir,
      env: { FLOTILLA_DATA_DIR: dataDir, ...variables },
    });
}

describeWithPostgres("the commands about a database on PostgreSQL", { timeout: 60_000 }, () => {
  test("move a database there and back, and say what to do next", async () => {
    const dataDir = temporaryDirectory();
    const store = await fileIn(dataDir).open({});
    await store.repositories.put(repository);
    await store.close();
    const url = await newDatabase();
    const moved = await flotillaIn(dataDir)("migrate-store", "--to", url);
    expect(moved).toMatchObject({ code: 0, stderr: "" });
    expect(moved.stdout).toContain(`When it works, move ${dataDir}/flotilla.db away`);

    const to = join(temporaryDirectory(), "back");
    const copied = await flotillaIn(dataDir, { DATABASE_URL: url })("backup", "--to", to);
    expect(copied).toMatchObject({ code: 0, stderr: "" });
    expect(copied.stdout).toMatch(/holds: the database \(\d+ bytes, whole\)\.$/m);
    expect(copied.stdout).toContain(
      "To restore: stop Flotilla; unset DATABASE_URL, because this copy is a file; mv ",
    );
    const back = temporaryDirectory();
    copyFileSync(join(to, "flotilla.db"), join(back, "flotilla.db"));
    const again = await fileIn(back).open({});
    expect(await again.repositories.get(repository.id)).toMatchObject({ id: repository.id });
    await again.close();

    const ofFile = await flotillaIn(back)("backup", "--to", `${to}-of-file`);
    expect(ofFile.stdout).toContain("To restore: stop Flotilla; mv ");
  });

  test("say in a sentence that the server does not have it", async () => {
    const url = `${await newDatabase()}_other`;
    for (const command of ["backup", "ledger"]) {
      const told = await flotillaIn(temporaryDirectory(), { DATABASE_URL: url })(command);
      expect(told.code).not.toBe(0);
      expect(told.stderr).toMatch(
        /_other cannot be read \(database ".+" does not exist\)\.\nCreate the database and its user, or correct DATABASE_URL \(see docs\/postgresql\.md\)\.\n$/,
      );
    }
  });
});
