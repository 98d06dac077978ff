import { openStore } from "../../../../src/adapters/store/sqlite/open.ts";
import { CLAIM } from "../../../factories/leases.ts";
import { delivery } from "../samples.ts";

/** As `insert-for-ever`, and now and then what stands in the journal moves into the table. */
const store = await openStore({ path: process.argv[2] ?? "" });
for (let index = 0; ; index += 1) {
  const guid = `g${index}`;
  await store.deliveries.insert([delivery({ guid })]);
  process.stdout.write(`${guid}\n`);
  if (index % 40 === 0) await store.deliveries.claim({ ...CLAIM, now: 0, limit: 1 });
}
