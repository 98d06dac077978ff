import { withMarker } from "../../../src/domain/messages/marker.ts";
import { planComment, planKey } from "../../../src/domain/planning/plan-comment.ts";
import { BOT } from "../../adapters/github/mocked-github.ts";
import { aQuestion } from "../../factories/a-question.ts";
import { AT } from "../../factories/moment.ts";
import { anAgent } from "../../factories/records.ts";
import { person } from "../../fakes/github-world.ts";
import { atWork, commentIn, issueIn, type Scene } from "./scene.ts";

const CREATED = "issue_comment.created";
const EDITED = "issue_comment.edited";
const said =
  (body: string, issue: object = {}) =>
  () => ({
    ...issueIn(CREATED, { labels: [{ name: "feature" }], ...issue }),
    ...commentIn(CREATED, { id: 900, body }),
  });
const edited = (user: object | null, body: string) => () => ({
  ...issueIn(EDITED),
  ...commentIn(EDITED, { id: 800, body, user }),
});

const agent = (more: object) => anAgent({ repositoryId: 77, ...more });
const escalated = { agents: [agent({ state: "ESCALATED" })] };
const asking = {
  agents: [agent({ state: "SLEEPING", sleepReason: "question" })],
  questions: [aQuestion({ deadlineAt: AT })],
};
const plan = {
  id: 4,
  agentId: 11,
  token: 1,
  state: "asked",
  kind: "plan",
  detail: "plan first",
  tool: "submit_plan",
  input: "Read, then build.",
  hash: "ab".repeat(32),
  decidedBy: null,
  reason: null,
  createdAt: AT,
  decidedAt: null,
} as const;
const planned = { agents: [agent({ state: "SLEEPING", sleepReason: "approval" })], asked: [plan] };
const ticked = withMarker(planComment("feat-dev", plan).replace("[ ]", "[x]"), {
  key: planKey(4),
  mac: "0fa4e",
});

export const OF_WORDS: readonly Scene[] = [
  {
    event: CREATED,
    what: "that starts work",
    rule: "steers",
    payload: said("/flotilla start"),
    reads: { type: "commented", command: { verb: "start", rest: "" } },
  },
  {
    event: CREATED,
    what: "that ends work",
    rule: "steers",
    payload: said("/flotilla cancel"),
    reads: { type: "commented", command: { verb: "cancel", rest: "" } },
    view: atWork,
  },
  {
    event: CREATED,
    what: "that approves a plan",
    rule: "steers",
    payload: said("/flotilla approve"),
    reads: { type: "commented", command: { verb: "approve", rest: "" } },
    view: planned,
  },
  {
    event: CREATED,
    what: "that raises the day's budget",
    rule: "steers",
    payload: said("/flotilla budget +$5 today"),
    reads: { type: "commented", command: { verb: "budget", rest: "+$5 today" } },
  },
  {
    event: CREATED,
    what: "that mentions us",
    rule: "steers",
    payload: said("@flotilla, faster"),
    reads: { type: "commented", command: null, mention: true },
    view: atWork,
  },
  {
    event: CREATED,
    what: "that answers who waits",
    rule: "steers",
    payload: said("Take the first."),
    reads: { type: "commented", command: null },
    view: escalated,
  },
  {
    event: CREATED,
    what: "that answers a question",
    rule: "steers",
    payload: said("MIT"),
    reads: { type: "commented", command: null },
    view: asking,
  },
  {
    event: CREATED,
    what: "that hides its command",
    rule: "nothing",
    payload: said("<!-- /flotilla start -->"),
    reads: { type: "commented", command: null },
    view: atWork,
  },
  {
    event: CREATED,
    what: "that is talk",
    rule: "nothing",
    payload: said("Nice."),
    reads: { type: "commented", command: null },
    view: atWork,
  },
  {
    event: CREATED,
    what: "on our pull request, with a command",
    rule: "steers",
    payload: said("/flotilla cancel", { number: 50, user: BOT, pull_request: { url: "x" } }),
    reads: { type: "commented", command: { verb: "cancel", rest: "" } },
    view: atWork,
  },
  {
    event: CREATED,
    what: "on a person's pull request",
    rule: "steers",
    payload: said("/flotilla cancel", { number: 51, user: person("ada"), pull_request: { url: "x" } }),
    reads: { type: "commented", command: { verb: "cancel", rest: "" }, theirs: { headRef: "topic" } },
    view: atWork,
  },
  {
    event: CREATED,
    what: "on a fork's pull request that is called like ours",
    rule: "nothing",
    payload: said("/flotilla cancel", { number: 52, user: BOT, pull_request: { url: "x" } }),
    reads: { ignored: "#52 is not a pull request of ours" },
    view: atWork,
  },
  {
    event: EDITED,
    what: "our question's, one box ticked",
    rule: "steers",
    payload: edited(BOT, "- [x] **1** `MIT`"),
    reads: { type: "comment_edited", commentId: 800 },
    view: asking,
  },
  {
    event: EDITED,
    what: "our plan's, its box ticked",
    rule: "steers",
    payload: edited(BOT, ticked),
    reads: { type: "comment_edited", commentId: 800 },
    view: planned,
  },
  {
    event: EDITED,
    what: "a writer's, into a command",
    rule: "nothing",
    payload: edited(person("wim"), "/flotilla start"),
    reads: { ignored: "the edited comment is not ours" },
    view: atWork,
  },
  {
    event: EDITED,
    what: "a stranger's, into ours",
    rule: "nothing",
    payload: edited(person("eve"), ticked),
    reads: { ignored: "the edited comment is not ours" },
    view: planned,
  },
  {
    event: EDITED,
    what: "that of an App called like us",
    rule: "nothing",
    payload: edited({ ...BOT, id: 9_003 }, ticked),
    reads: { ignored: "the edited comment is not ours" },
    view: planned,
  },
];
