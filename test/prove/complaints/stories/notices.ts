import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { CODERS, call, saysOn } from "../../../journeys/a-scenario.ts";
import { numbered, opens } from "../issues.ts";
import { story } from "../story.ts";

const issues = numbered("asked");

/** A chat that refuses each message. */
async function refusingChat() {
  let got = 0;
  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      got += 1;
      response.writeHead(404).end("channel_not_found");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a server on a port has such an address
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    got: () => got,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

let chat: Awaited<ReturnType<typeof refusingChat>> | null = null;

export const notices = story({
  played: "a question that people are told in a chat, which refuses the message",
  setting: async () => {
    const own = await refusingChat();
    chat = own;
    return {
      env: { CHAT_URL: own.url },
      config: { roles: CODERS, notices: { chat: { format: "slack", url_env: "CHAT_URL" } } },
      conversations: [
        saysOn(issues.asked, [call("ask_human", { question: "Which colour?", options: ["Red", "Blue"] })]),
      ],
      close: own.close,
    };
  },
  async play(scene) {
    await opens(scene, issues);
    await scene.octocat.label(issues.asked, "feature");
    await scene.reaches(issues.asked, ["SLEEPING"]);
    await scene.sees(() => (chat?.got() ?? 0) > 0);
    const failed = await scene.sees(async () => {
      const answer = JSON.stringify(await scene.read("/api/effects?state=failed&of=notices"));
      return answer.includes('"why"') && answer;
    });
    const listed = await scene.command("notices");
    const onIssue = await scene.hears(issues.asked, /Which colour/);
    return { got: chat?.got() ?? 0, failed, listed: listed.stdout, onIssue };
  },
  checks: {
    40: ({ got, failed, listed, onIssue }) => ({
      holds: [
        [`a chat refuses a message (${got} times)`, got > 0],
        [
          "the page of failures has it, with the reason and the next step",
          failed?.includes("next") === true && failed.includes("404"),
        ],
        ["so has `flotilla notices`", /failed/.test(listed)],
        ["and the question stands on the issue", onIssue !== null],
      ],
    }),
  },
});
