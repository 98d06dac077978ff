import { expect, it, onTestFinished } from "vitest";
import { BOT, person } from "../../fakes/github-world.ts";
import { proved } from "../../proved.ts";
import { envelope } from "../../webhooks/reading-rig.ts";
import { post, serveRoute } from "../../webhooks/serve-route.ts";
import { takeIn } from "../inbox-of.ts";
import { issueOf } from "../people.ts";
import { aRig, REPOSITORY } from "../rig.ts";
import { on, work } from "../scripts.ts";

const TIMES = 1_000;
const AT_ONCE = 50;

it("a delivery that comes a thousand times, before and after it was handled, has its effects once", async () => {
  const rig = await aRig({ script: [on(1, ...work)] });
  const route = await serveRoute(rig.store.deliveries);
  onTestFinished(() => route.close());
  const { owner, name, id } = REPOSITORY;
  const repository = { id, name, owner: { login: owner }, private: true, default_branch: "main" };
  const issue = {
    ...issueOf(rig, 1),
    html_url: "https://github.test/1",
    user: person("alice"),
    labels: [{ name: "feature" }],
  };
  const label = { action: "labeled", issue, label: { name: "feature" } };
  const payload = JSON.stringify(envelope(person("alice"), { repository, ...label }));
  const send = async (times: number) => {
    const statuses: number[] = [];
    for (let sent = 0; sent < times; sent += AT_ONCE) {
      const answers = Array.from({ length: AT_ONCE }, () => post(route.url, payload));
      statuses.push(...(await Promise.all(answers)).map(({ status }) => status));
    }
    return statuses;
  };

  const before = await send(TIMES / 2);
  expect(await takeIn(rig)).toEqual(["issues.labeled"]);
  const writes = [...rig.github.writes];
  const after = await send(TIMES / 2);
  expect(await takeIn(rig)).toEqual([]);

  expect([...before, ...after]).toEqual(Array.from({ length: TIMES }, () => 202));
  expect(await rig.store.deliveries.list({}, TIMES)).toHaveLength(1);
  const agents = await rig.store.records.find("agent", {});
  expect(agents).toMatchObject([{ issue: 1, state: "COMPLETED" }]);
  expect(rig.github.writes).toEqual(writes);
  const opened = [...rig.repository.pulls.values()].filter(({ author }) => author.id === BOT.id);
  expect(opened).toHaveLength(1);
  proved({
    promise: "A replayed delivery does nothing again",
    test: "test/engine/replay/replay.test.ts",
    figure: `${before.length + after.length} deliveries of one id: ${agents.length} agent, ${opened.length} pull request`,
  });
});
