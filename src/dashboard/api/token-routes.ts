import { forbidden, ok } from "../../http/answer.ts";
import { tokenAnswer, tokensEndedAnswer } from "./answers/system.ts";
import type { ApiRoute } from "./route.ts";

/** A token that could make another one would never end. */
const ON_THE_PAGE = forbidden(
  "only a person who has signed in on the page with GitHub makes a token",
  "sign in with GitHub and open /token; the operator has DASHBOARD_TOKEN",
);
const NOT_YOURS = forbidden(
  "the operator has no token of this kind",
  "change DASHBOARD_TOKEN to end all tokens",
);

/** Tokens of people, for their own programs. */
export const TOKEN_ROUTES: readonly ApiRoute[] = [
  {
    method: "post",
    path: "/api/tokens",
    name: "makeToken",
    summary: "Makes a token with which your programs act as you, for 90 days. It is shown only now.",
    group: "system",
    answer: tokenAnswer,
    run: async (_, { rights: { viewer }, request, tokens }) => {
      if (viewer.kind !== "person" || request.headers.authorization !== undefined) return ON_THE_PAGE;
      const { token, until } = await tokens.make(viewer);
      return ok({ token, until: new Date(until).toISOString() });
    },
  },
  {
    method: "post",
    path: "/api/tokens/end",
    name: "endTokens",
    summary: "Ends all tokens that you have made.",
    group: "system",
    answer: tokensEndedAnswer,
    run: async (_, { rights: { viewer }, tokens }) => {
      if (viewer.kind !== "person") return NOT_YOURS;
      await tokens.endAll(viewer);
      return ok({ ended: true });
    },
  },
];
