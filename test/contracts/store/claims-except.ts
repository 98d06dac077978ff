import { describe, expect, test } from "vitest";
import type { LeftOut } from "../../../src/domain/kernel/claim-turns.ts";
import type { Store } from "../../../src/domain/ports/store.ts";
import { delivery, effect, repository } from "../../adapters/store/samples.ts";
import { CLAIM, OURS } from "../../factories/leases.ts";
import { fresh } from "./fresh.ts";

const REPOSITORIES = [
  { ...repository, id: 70, name: "probe" },
  { ...repository, id: 8, owner: "globex", name: "pump" },
];
const LANES = ["7", "7#1", "70#1", "8#1", "9#7", "installation:7", "app"];

const repositoryOf = (lane: string) => (/^\d/.test(lane) ? Number.parseInt(lane, 10) : null);

/** What a claim finds that leaves somebody out. */
export function exceptContract(open: () => Promise<Store>): void {
  describe("a claim", () => {
    const store = fresh(open);
    const fill = async (lanes: readonly string[]) => {
      for (const one of REPOSITORIES) await store().repositories.put(one);
      await store().deliveries.insert(
        lanes.map((lane) => delivery({ guid: lane, lane, repositoryId: repositoryOf(lane) })),
      );
      await store().effects.add(
        [7, 70, 8].map((repositoryId) =>
          effect({ key: `${repositoryId}`, repositoryId, lane: `issue:${repositoryId}#1` }),
        ),
      );
    };

    const cases: readonly (readonly [string, LeftOut | null, readonly string[], readonly string[]])[] = [
      ["nobody", null, LANES, ["7", "70", "8"]],
      ["a repository", { owners: [], repositories: [7] }, LANES.slice(2), ["70", "8"]],
      [
        "several, one that is not known",
        { owners: [], repositories: [7, 8, 9] },
        ["70#1", "installation:7", "app"],
        ["70"],
      ],
      [
        "all repositories of an owner",
        { owners: ["acme"], repositories: [] },
        ["8#1", "9#7", "installation:7", "app"],
        ["8"],
      ],
      [
        "those of no known owner",
        { owners: [""], repositories: [] },
        LANES.filter((lane) => lane !== "9#7"),
        ["7", "70", "8"],
      ],
      ["two owners", { owners: ["acme", "globex"], repositories: [] }, ["9#7", "installation:7", "app"], []],
    ];

    test.each(cases)("leaves out %s, and nothing else", async (_, except, deliveries, effects) => {
      await fill(LANES);
      const claimed = await store().deliveries.claim({ ...CLAIM, now: 1, limit: 10, except });
      expect(claimed.map(({ lane }) => lane)).toEqual(deliveries);
      const leased = await store().effects.lease({
        ...OURS,
        now: 1,
        leaseMs: () => 100,
        limit: 10,
        except,
      });
      expect(leased.map(({ key }) => key)).toEqual(effects);
    });

    test("takes the oldest of the others, at most as many as asked, from behind many that it leaves out", async () => {
      await fill([...Array.from({ length: 300 }, (_, index) => `7#${index}`), "8#1", "8#2", "8#3"]);
      const claim = { ...CLAIM, now: 1, limit: 2, except: { owners: [], repositories: [7] } };
      const lanes = async () => (await store().deliveries.claim(claim)).map(({ lane }) => lane);
      expect(await lanes()).toEqual(["8#1", "8#2"]);
      expect(await lanes()).toEqual(["8#3"]);
      expect(await lanes()).toEqual([]);
    });
  });
}
