import { once } from "node:events";
import { databaseIn } from "../src/adapters/store/registry.ts";
import { advance } from "../src/engine/kernel/advance.ts";
import { factOf, labelled, onRig, prepare } from "./facts.ts";
import { timed } from "./work.ts";

/** The facts that one process has under way at a time, as the workers of a queue have them. */
const AT_ONCE = 8;

/**
 * One of several processes that take facts in on one PostgreSQL database: `count` issues from `first` on get their label.
 * Says when it is ready, begins when it is told, and says how many milliseconds it took.
 */
const [, , url = "", first = "1", count = "1"] = process.argv;
process.once("disconnect", () => process.exit());
const store = await databaseIn({ variables: { DATABASE_URL: url }, dataDir: "/nowhere" }).open({});
const occurrences = Array.from({ length: Number(count) }, (_, at) => labelled("feature")(Number(first) + at));
await prepare(store, occurrences);
const facts = occurrences.map(factOf);
await onRig(store, async (context) => {
  const left = facts.values();
  process.send?.({ ready: true });
  await once(process, "message");
  const ms = await timed(() =>
    Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (const fact of left) await advance(context, fact);
      }),
    ),
  );
  process.send?.({ ms });
});
await store.close();
process.disconnect();
