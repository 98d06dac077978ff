import { describe, expect, it } from "vitest";
import { decide } from "../../../src/domain/decide.ts";
import type { ChangeSet } from "../../../src/domain/kernel/change-set.ts";
import { aRole } from "../../factories/a-role.ts";
import { aView } from "../../factories/a-view.ts";
import { aCommand } from "../../factories/an-occurrence.ts";
import { anAgent, aTask } from "../../factories/records.ts";
import { PROVIDER, rolesOf, someSettings } from "../../factories/some-settings.ts";
import { rulesOf, saidBy } from "../kernel/changes-as-text.ts";

const RUNTIME = { ...someSettings().runtime, models: ["gpt-5", "gpt-5-mini"], provider: PROVIDER };
const start = (rest: string, view: ReturnType<typeof aView>) => decide(aCommand("start", rest), view);
const birthsOf = ({ moves }: Pick<ChangeSet, "moves">) =>
  moves.flatMap(({ event }) => ("newAgent" in event ? [event.newAgent] : []));
const refusedAs = (changes: ChangeSet) => [changes.moves, rulesOf(changes)];

describe("a start with a runtime", () => {
  const set = { preset: "claude", models: ["acme/big", "acme/small"] };
  const acme = { type: "anthropic", baseUrl: "https://a.example", apiKeyEnv: "A" } as const;
  const mixed = someSettings({
    runtime: RUNTIME,
    providers: { acme: { ...acme, wireApi: "completions", maxPromptTokens: undefined } },
    runtimes: { claude: set, free: { command: ["/opt/free"], gate: "none" } },
  });
  const begun = (rest: string, more = {}) => start(rest, aView({ settings: mixed, ...more }));

  it("has it, wherever the words stand, and a model of its own", () => {
    expect(birthsOf(begun("feat-dev with claude"))).toMatchObject([{ runtime: "claude", model: null }]);
    expect(birthsOf(begun("with claude feat-dev on main"))).toMatchObject([{ runtime: "claude" }]);
    expect(birthsOf(begun("feat-dev WITH claude model=acme/small"))).toMatchObject([
      { runtime: "claude", model: "acme/small" },
    ]);
    expect(birthsOf(begun("feat-dev"))).toMatchObject([{ runtime: "copilot" }]);
    expect(refusedAs(begun("feat-dev with claude model=gpt-5"))).toEqual([[], ["choice_refused"]]);
    expect(saidBy(begun("feat-dev with claude model=gpt-5"))).toContain(
      "ask the operator to add one to `runtimes.claude.models`",
    );
  });

  it.each(["feat-dev with", "feat-dev with turns=8", "with"])("%j names a role that is not there", (rest) => {
    expect(rulesOf(begun(rest))).toEqual(["unknown_role"]);
  });

  it.each(["Claude", "__proto__", "constructor", "claude,copilot", "x".repeat(5000)])(
    "%# is refused, and the answer names what there is",
    (name) => {
      const changes = begun(`feat-dev with ${name}`);
      expect(refusedAs(changes)).toEqual([[], ["choice_refused"]]);
      expect(saidBy(changes)).toContain("with one of `copilot`, `claude`, `free`");
      expect(saidBy(changes).length).toBeLessThan(600);
    },
  );

  it("whose tools ask nobody is only for a role with a shell", () => {
    expect(birthsOf(begun("feat-dev with free"))).toMatchObject([{ runtime: "free" }]);
    const settings = { ...mixed, roles: rolesOf(aRole({ capabilities: ["read", "edit"] })) };
    const changes = begun("feat-dev with free", { settings });
    expect(refusedAs(changes)).toEqual([[], ["choice_refused"]]);
    expect(saidBy(changes)).toContain(
      "`free` uses its own tools without asking, so only a role with a shell may have it, and feat-dev has none",
    );
  });

  it("is the runtime of the work before, unless a person asks for another one or it is gone", () => {
    const done = anAgent({ id: 5, state: "FAILED", runtime: "claude", model: "acme/small", coder: true });
    const view = { agents: [done], task: aTask({ state: "UNCLAIMED" }) };
    expect(birthsOf(begun("feat-dev", view))).toMatchObject([{ runtime: "claude" }]);
    expect(birthsOf(begun("feat-dev with copilot", view))).toMatchObject([{ runtime: "copilot" }]);
    const gone = { ...view, settings: someSettings({ runtime: RUNTIME }) };
    expect(birthsOf(begun("feat-dev", gone))).toMatchObject([{ runtime: "copilot" }]);
    const again = birthsOf(decide(aCommand("retry"), aView({ settings: mixed, ...view })));
    expect(again).toMatchObject([{ runtime: "claude", model: "acme/small" }]);
  });
});
