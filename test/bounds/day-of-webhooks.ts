import type { NewDelivery } from "../../src/domain/kernel/rows.ts";
import { issueOf } from "../engine/people.ts";
import { REPOSITORY, type Rig } from "../engine/rig.ts";
import { person } from "../fakes/github-world.ts";
import { recordedWebhooks } from "../webhooks/recorded-webhooks.ts";

type Fields = Readonly<Record<string, unknown>>;

/** They end or pause the work of a whole repository. */
const OF_REPOSITORIES = /^(?:installation|repository|organization|member)/;

/** None of the rig's. */
const ELSEWHERE = 1_000_000;

/** Webhooks as GitHub sends them, for the rig's repository: the recorded ones in turn, and those that set work going. */
export function dayOfWebhooks(rig: Rig) {
  const recorded = recordedWebhooks().map(({ event, action, body }) => {
    const payload: Fields = JSON.parse(body);
    return { event, action, payload };
  });
  const usual = recorded.filter(({ event }) => !OF_REPOSITORIES.test(event));
  const labelled = recorded.find(({ event, action }) => event === "issues" && action === "labeled");
  if (labelled === undefined) throw new Error("no webhook of a label is recorded");
  let count = 0;

  function delivery(event: string, action: string | null, payload: Fields): NewDelivery {
    count += 1;
    return {
      guid: `day-${count}`,
      event,
      action,
      installationId: REPOSITORY.installationId,
      repositoryId: REPOSITORY.id,
      lane: `${REPOSITORY.id}#${count % 97}`,
      payload: JSON.stringify(payload),
      receivedAt: rig.clock.now(),
    };
  }

  return {
    /** One that people and other Apps cause all day, and that starts nobody. */
    noise(): NewDelivery {
      const { event, action, payload } = usual[count % usual.length] ?? labelled;
      const moved = Object.fromEntries(
        ["issue", "pull_request"].flatMap((about) => {
          const told: unknown = payload[about];
          return typeof told === "object" ? [[about, { ...told, number: ELSEWHERE }]] : [];
        }),
      );
      return delivery(event, action, { ...payload, ...moved, ...AROUND, sender: person("eve") });
    },
    /** A person puts the label on the issue. */
    label(number: number): NewDelivery {
      const issue = issueOf(rig, number);
      issue.labels = ["feature"];
      const recordedIssue: unknown = labelled.payload["issue"];
      const told = {
        ...(typeof recordedIssue === "object" ? recordedIssue : {}),
        number,
        title: issue.title,
        body: issue.body,
        user: issue.author,
        state: "open",
        labels: [{ name: "feature" }],
        pull_request: null,
        milestone: null,
        assignees: [],
        locked: false,
      };
      const payload = { ...labelled.payload, issue: told, label: { name: "feature" } };
      return delivery("issues", "labeled", { ...payload, ...AROUND });
    },
  };
}

const AROUND: Fields = {
  repository: {
    id: REPOSITORY.id,
    name: REPOSITORY.name,
    full_name: `${REPOSITORY.owner}/${REPOSITORY.name}`,
    owner: { login: REPOSITORY.owner },
    private: true,
    default_branch: "main",
  },
  installation: { id: REPOSITORY.installationId },
  sender: person("alice"),
};
