import { Client } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { OpenStore } from "../../src/adapters/store/database.ts";
import { DatabaseUnreachable } from "../../src/domain/kernel/errors.ts";
import { aNode } from "../factories/a-node.ts";
import { databaseAt, describeWithPostgres } from "./databases.ts";
import { type PostgresServer, startPostgres } from "./server.ts";

describeWithPostgres("a standby takes the place of its server", { timeout: 120_000 }, () => {
  let server: PostgresServer;
  let store: OpenStore;
  const begin = (name: string) => store.nodes.begin({ ...aNode(name), now: 1 });
  const names = async () => (await store.nodes.list()).map(({ name }) => name);

  beforeAll(async () => {
    server = await startPostgres();
    await asAdmin((admin) => admin.query("CREATE DATABASE flotilla"));
    store = await databaseAt(`${server.url}/flotilla`).open({});
  });
  afterAll(async () => {
    await store.close();
    await server.remove();
  });

  async function asAdmin(work: (admin: Client) => Promise<unknown>): Promise<void> {
    const admin = new Client({ connectionString: `${server.url}/postgres` });
    await admin.connect();
    try {
      await work(admin);
    } finally {
      await admin.end();
    }
  }

  test("what was committed is there, and an open store goes on", async () => {
    await begin("before");
    await server.failOver({ besideStandby: () => begin("beside"), whileReadOnly: refused });
    await begin("after");
    expect(await names()).toEqual(["after", "before", "beside"]);
  });

  /** What is to be written is then written again, as after any other absence of the server. */
  async function refused(): Promise<void> {
    // The connections that were open are gone; each is found so once.
    await store.nodes.list().catch(() => []);
    await expect(begin("refused")).rejects.toThrow(DatabaseUnreachable);
  }
});
