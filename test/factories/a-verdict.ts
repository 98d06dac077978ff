/** What a reviewer may say with all that there is to say. */
export const A_VERDICT = {
  commit: "a".repeat(40),
  verdict: "reject",
  body: "No.",
  evidence: ["npm test"],
  comments: [{ path: "a.ts", line: null, body: "x" }],
};
