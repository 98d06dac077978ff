/** A fault of several processes on one database, and the test that has to see it. */
export interface Mutation {
  readonly fault: string;
  /** Each text stands in its file, and is replaced wherever it does. */
  readonly places: readonly { readonly file: string; readonly old: string; readonly now: string }[];
  readonly file: string;
  readonly test: string;
}

const CONCURRENCY = "test/postgres/concurrency.test.ts";
const OWN_NODE = {
  file: "test/engine/recovery/own-node.test.ts",
  test: "puts to rest and reaps what is of this node, and leaves the work of others alone",
};
const DIALECT = "src/adapters/store/postgres/dialect.ts";
const EFFECTS = "src/adapters/store/tables/effects.ts";
const DELIVERIES = "src/adapters/store/tables/deliveries.ts";
const SCHEMA = "src/adapters/store/postgres/migrations/0001_first_release.sql";

const CLAIMING = {
  file: CONCURRENCY,
  test: "claims leave out at once what another process is taking, and take the rest",
};
const SKIPPING = `sql.raw("FOR UPDATE SKIP LOCKED")`;

/** Replaces the end of a query, which looks at the token in the line above. */
const withoutToken = (file: string, indent: string, end: string) => ({
  file,
  old: `${indent}.where("leaseToken", "=", token)\n${indent}${end}`,
  now: `${indent}${end}`,
});

const trigger = (table: string) => ({
  file: SCHEMA,
  old: `CREATE TRIGGER ${table}_in_order BEFORE INSERT ON ${table}\n  FOR EACH STATEMENT EXECUTE FUNCTION wait_for_earlier_rows();`,
  now: "",
});

export const MUTATIONS: readonly Mutation[] = [
  {
    fault: "a claim takes rows that another claim is taking",
    places: [{ file: DIALECT, old: SKIPPING, now: `sql.raw("")` }],
    ...CLAIMING,
  },
  {
    fault: "a claim waits for rows that another claim is taking",
    places: [{ file: DIALECT, old: SKIPPING, now: `sql.raw("FOR UPDATE")` }],
    ...CLAIMING,
  },
  {
    fault: "an outcome is written without the token of its lease",
    places: [
      withoutToken(EFFECTS, "        ", ".executeTakeFirst();"),
      withoutToken(DELIVERIES, "        ", ".executeTakeFirst();"),
      withoutToken(DELIVERIES, "          ", `.returning("seq")`),
      { file: DELIVERIES, old: `guid, "claimed", token];`, now: `guid, "claimed"];` },
    ],
    file: "test/adapters/store/contract.test.ts",
    test: "that were lost settle nothing, and retry nothing: only the one that has it now does",
  },
  {
    fault: "events get their ids in another order than they are committed",
    places: [trigger("run_event")],
    file: CONCURRENCY,
    test: "an event is stored once those before it are, so that whoever has read it has missed none",
  },
  {
    fault: "webhooks get their ids in another order than they are committed",
    places: [trigger("delivery")],
    file: CONCURRENCY,
    test: "a webhook is stored once those before it are, so that a lane's first one is handled first",
  },
  {
    fault: "a process that starts takes back what other nodes have claimed",
    places: [
      {
        file: "src/engine/recovery/recover.ts",
        old: "nodes: alone ? null : [context.node]",
        now: "nodes: null",
      },
    ],
    ...OWN_NODE,
  },
  {
    fault: "a process that starts puts agents of other nodes to rest",
    places: [
      {
        file: "src/engine/kernel/at-work-here.ts",
        old: "return alone ? {} : { node };",
        now: "return {};",
      },
    ],
    ...OWN_NODE,
  },
];
