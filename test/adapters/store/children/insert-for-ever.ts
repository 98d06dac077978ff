import { openStore } from "../../../../src/adapters/store/sqlite/open.ts";
import { delivery } from "../samples.ts";

/** Prints the guid of each delivery once it is stored, and continues until it is killed. */
const store = await openStore({ path: process.argv[2] ?? "" });
for (let index = 0; ; index += 1) {
  const guid = `g${index}`;
  await store.deliveries.insert([delivery({ guid })]);
  process.stdout.write(`${guid}\n`);
}
