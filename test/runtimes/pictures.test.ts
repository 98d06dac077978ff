import { expect, test } from "vitest";
import { createRig } from "../contracts/agent-runtime-rig.ts";
import { testedPresets } from "./install-agents.ts";
import { startAgent } from "./start-agent.ts";

// A real one: agents look at what they send.
const JPEG =
  "/9j/2wBDABALDA4MChAODQ4SERATGCgaGBYWGDEjJR0oOjM9PDkzODdASFxOQERXRTc4UG1RV19iZ2hnPk1xeXBkeFxlZ2P/2wBDARESEhgVGC8aGi9jQjhCY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2P/wAARCAAQABADASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAX/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFQEBAQAAAAAAAAAAAAAAAAAABQb/xAAUEQEAAAAAAAAAAAAAAAAAAAAA/9oADAMBAAIRAxEAPwCKALXj/9k=";
const picture = { mediaType: "image/jpeg", bytes: Buffer.from(JPEG, "base64") } as const;

test.for(testedPresets())(
  "$name shows its model a picture, and after a restart again or says that it does not",
  { timeout: 180_000 },
  async (preset, { onTestFinished }) => {
    const steps = [{ say: "A red dot." }, { after: "and now", say: "Still red." }];
    const harness = await startAgent(preset, { conversations: [{ match: "do the work", steps }] });
    const rig = createRig(harness);
    onTestFinished(rig.close);
    const first = await rig.open({ sees: true });
    await first.session.exchange("do the work", { deadlineMs: 60_000, pictures: [picture] });
    await first.session.stop();
    const second = await rig.open(first.spec);
    await second.session.exchange("and now", { deadlineMs: 60_000 });
    const asked = harness.modelRequests.filter(({ tools }) => tools.length > 0);
    const loses = preset.losesPictures === true;
    expect(asked.map(({ body }) => body.includes(JPEG))).toEqual([true, !loses]);
    expect(asked[0]?.body.includes("until you are started again")).toBe(loses);
  },
);
