import { expect, test } from "vitest";
import { replayIssue } from "../../../src/commands/replaying/replay-issue.ts";
import { lifeOf } from "../../order/life.ts";
import { live } from "../../order/live.ts";
import { LIVES } from "../../order/lives.ts";

test.each(LIVES.map((told) => [told.name, told] as const))(
  "a replay of %s comes to the same, delivery by delivery",
  async (_, told) => {
    const life = lifeOf(told.name);
    await live(life, told, "as sent", {
      after: async ({ store, context, repository }) => {
        const [known] = await store.repositories.all();
        if (known === undefined) throw new Error("no repository was heard of");
        expect(repository.ref.id).toBe(known.id);
        const replayed = await replayIssue(
          store,
          {
            settings: context.settings,
            identity: context.identity,
            repository: known,
            knownBy: async (at, guids) => {
              const rows = await Promise.all(guids.map((guid) => store.deliveries.get(guid)));
              return new Set(
                rows.flatMap((row) => (row !== undefined && row.receivedAt <= at ? row.guid : [])),
              );
            },
          },
          1,
          async () => null,
        );
        console.log(JSON.stringify(replayed, null, 1).slice(0, 6000));
        expect(replayed.differing).toEqual([]);
        expect(replayed.untold).toEqual([]);
      },
    });
  },
);
