import { databaseIn } from "../../src/adapters/store/registry.ts";
import { databaseContract } from "../contracts/database.ts";
import { storeContract } from "../contracts/store.ts";
import { databaseAt, describeWithPostgres, newDatabase } from "./databases.ts";
import { openPostgres } from "./kept-stores.ts";

describeWithPostgres("PostgreSQL", () => {
  storeContract("postgres", openPostgres);

  databaseContract("postgres", {
    fresh: async () => databaseAt(await newDatabase()),
    copied: (directory) => databaseIn({ variables: {}, dataDir: directory }),
  });
});
