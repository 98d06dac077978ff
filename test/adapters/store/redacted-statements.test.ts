import { expect, it } from "vitest";
import { redactor } from "../../../src/domain/access/redact.ts";
import { memoryStore } from "../../factories/memory-store.ts";
import { repository } from "./samples.ts";

const SECRET = 'a "quoted" secret of ours';
const redact = redactor([SECRET]);

it("takes secrets out of every text that is written, and finds again what was written so", async () => {
  const store = memoryStore({ redact });
  await store.repositories.put({ ...repository, name: `shop of ${SECRET}` });
  expect(await store.repositories.all()).toMatchObject([{ name: "shop of [redacted]" }]);
  await store.close();
});

it("keeps JSON readable, where a pattern runs over its quotes too", async () => {
  const store = memoryStore({ redact });
  await store.repositories.put(repository);
  const asked = [SECRET, "-----BEGIN PRIVATE KEY-----\nMIIE", "bob"];
  await store.seenPulls.put({ repositoryId: repository.id, pull: 1, openedAt: 1, changedLines: null, asked });
  const [row] = await store.seenPulls.ofRepositories([repository.id]);
  expect(row?.asked).toEqual(["[redacted]", "[redacted]", "bob"]);
  const body = `[not JSON: ${SECRET}`;
  await store.issueTexts.put({
    repositoryId: repository.id,
    issue: 1,
    title: "x",
    body,
    approvedBy: "bob",
    at: 1,
  });
  expect(await store.issueTexts.of(repository.id, 1)).toMatchObject({ body: "[not JSON: [redacted]" });
  expect(await store.issueTexts.of(repository.id, 2)).toBeUndefined();
  await store.close();
});

it("leaves everything else as it is", async () => {
  const store = memoryStore({ redact });
  await store.repositories.put(repository);
  expect(await store.repositories.all()).toEqual([repository]);
  await store.close();
});
