import { describe, expect, test } from "vitest";
import type { Database } from "../../src/adapters/store/database.ts";
import { repository } from "../adapters/store/samples.ts";
import { temporaryDirectory } from "../adapters/store/temporary.ts";

/** What every kind of database does beside its store. */
export function databaseContract(
  name: string,
  given: {
    /** Returns access to a database that is not there yet; what it leaves behind is the caller's to remove. */
    readonly fresh: () => Database | Promise<Database>;
    /** Returns access to what was copied into this directory. */
    readonly copied: (directory: string) => Database;
  },
): void {
  describe(`a database (${name})`, () => {
    test("is there once it was opened, whole, durable and in the form of this version", async () => {
      const database = await given.fresh();
      expect(await database.exists()).toBe(false);
      const store = await database.open({});
      await store.close();
      expect(await database.exists()).toBe(true);
      expect(await database.schemaFault()).toBeUndefined();
      expect(await database.damage()).toEqual([]);
      expect(await database.durabilityFaults()).toEqual([]);
    });

    test("is read beside the process that serves it, by somebody who cannot write", async () => {
      const database = await given.fresh();
      const store = await database.open({});
      await store.repositories.put(repository);
      const reader = await database.openReadOnly();
      expect(await reader.repositories.get(repository.id)).toEqual(repository);
      expect(await reader.checkInvariants(0)).toEqual([]);
      const write = reader.repositories.put({ ...repository, owner: "other" });
      await expect(write).rejects.toBeInstanceOf(Error);
      await reader.close();
      expect(await store.repositories.get(repository.id)).toEqual(repository);
      await store.close();
    });

    test("is copied beside the process that serves it, and the copy can be opened", async () => {
      const database = await given.fresh();
      const store = await database.open({});
      await store.repositories.put(repository);
      const directory = temporaryDirectory();
      expect(await database.copyTo(given.copied(directory), 0)).toMatchObject({ damage: [], violations: [] });
      await store.close();
      const copy = await given.copied(directory).open({});
      expect(await copy.repositories.get(repository.id)).toEqual(repository);
      await copy.close();
    });

    test("shows its newest rows to support, and texts only where they are asked for", async () => {
      const database = await given.fresh();
      const store = await database.open({});
      await store.repositories.put(repository);
      const shown = await database.supportRows({ newest: 5, bodies: false });
      const whole = await database.supportRows({ newest: 5, bodies: true });
      await store.close();
      expect(shown.schema.join("\n")).toContain("repository");
      const { id, owner, defaultBranch } = repository;
      const told = { count: 1, rows: [{ id, owner, default_branch: `(${defaultBranch.length} long)` }] };
      expect(shown.tables.get("repository")).toMatchObject(told);
      expect(whole.tables.get("repository")?.rows).toMatchObject([{ default_branch: defaultBranch }]);
    });

    test("says of an error whether it came of reading it", async () => {
      const database = await given.fresh();
      const reading = database.openReadOnly().then((reader) => reader.repositories.get(repository.id));
      const error: unknown = await reading.catch((caught: unknown) => caught);
      expect(error).toBeInstanceOf(Error);
      expect(database.readingFault(error)).toMatchObject({ what: expect.stringMatching(/^cannot be read/) });
      expect(database.readingFault(new Error("of something else"))).toBeUndefined();
    });

    test("is told of changes and listened to, before and after it is closed", async () => {
      const database = await given.fresh();
      const store = await database.open({});
      store.changes.tell();
      store.changes.listen({
        told() {},
        back() {},
        lost: (error) => expect.unreachable(String(error)),
      });
      store.changes.tell();
      await store.close();
      expect(() => store.changes.tell()).not.toThrow();
    });

    test("has files and sizes of its own", async () => {
      const database = await given.fresh();
      const store = await database.open({});
      const sizes = Object.values(await database.sizes());
      await store.close();
      expect(database.files.filter((path) => !path.startsWith("/"))).toEqual([]);
      expect(sizes.filter((bytes) => !(bytes >= 0))).toEqual([]);
    });
  });
}
