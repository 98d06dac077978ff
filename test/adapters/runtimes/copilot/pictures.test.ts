import { expect, onTestFinished, test } from "vitest";
import type { ModelRequest } from "../../../../src/demo/model/model-request.ts";
import { expectContinued } from "../../../continued-requests.ts";
import { createRig, longMs } from "../../../contracts/agent-runtime-rig.ts";
import { startCopilot } from "./copilot-harness.ts";

// A real one: the runtime looks at what it sends.
const JPEG =
  "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAMCAgICAgMCAgIDAwMDBAYEBAQEBAgGBgUGCQgKCgkICQkKDA8MCgsOCwkJDRENDg8QEBEQCgwSExIQEw8QEBD/yQALCAABAAEBAREA/8wABgAQEAX/2gAIAQEAAD8A0s8g/9k=";
const OTHER = Buffer.concat([Buffer.from(JPEG, "base64"), Buffer.alloc(3)]).toString("base64");
const picture = { mediaType: "image/jpeg", bytes: Buffer.from(JPEG, "base64") } as const;

/** The data of the pictures in a request, in order. */
const picturesIn = ({ body }: ModelRequest): readonly string[] =>
  [...body.matchAll(/"url":"data:image\/jpeg;base64,([^"]+)"/g)].map(([, data = ""]) => data);

test("a model that sees gets the pictures of a message, and each later request has the same bytes", async () => {
  const harness = await startCopilot({
    conversations: [
      {
        match: "",
        steps: [
          { say: "I look.", call: [{ tool: "note", args: {} }] },
          { say: "A red dot." },
          { say: "Still red." },
          { say: "Two." },
        ],
      },
    ],
  });
  const rig = createRig(harness);
  onTestFinished(rig.close);
  const first = await rig.open({ sees: true });
  await first.session.exchange("What is it?", { deadlineMs: longMs, pictures: [picture] });
  await first.session.stop();
  const second = await rig.open(first.spec);
  expect(second.session.resumed).toBe(true);
  await second.session.exchange("And now?", { deadlineMs: longMs });
  await rig.kill(first.spec.sessionId);
  await second.session.stop();
  const third = await rig.open(first.spec);
  await third.session.exchange("Another one.", {
    deadlineMs: longMs,
    pictures: [{ ...picture, bytes: Buffer.from(OTHER, "base64") }],
  });
  expect(harness.modelRequests.map(picturesIn)).toEqual([[JPEG], [JPEG], [JPEG], [JPEG, OTHER]]);
  expectContinued(harness.modelRequests);
});

test("a message without pictures has none, although the model sees", async () => {
  const harness = await startCopilot({ conversations: [{ match: "", steps: [{ say: "Hello." }] }] });
  const rig = createRig(harness);
  onTestFinished(rig.close);
  const { session } = await rig.open({ sees: true });
  await session.exchange("Hello?", { deadlineMs: longMs, pictures: [] });
  expect(harness.modelRequests.map(picturesIn)).toEqual([[]]);
});
