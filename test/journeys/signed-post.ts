import { createHmac, randomUUID } from "node:crypto";

/** Posts a webhook to `url` as GitHub does, signed with the secret. Given headers take precedence. */
export async function signedPost(
  url: string,
  secret: string,
  webhook: {
    readonly body: string | Buffer;
    readonly event?: string;
    readonly guid?: string;
    readonly headers?: Readonly<Record<string, string>>;
  },
): Promise<{ status: number; text: string }> {
  const signature = createHmac("sha256", secret).update(webhook.body).digest("hex");
  const answer = await fetch(`${url}/api/github/webhooks`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "x-github-event": webhook.event ?? "issues",
      "x-github-delivery": webhook.guid ?? randomUUID(),
      "x-hub-signature-256": `sha256=${signature}`,
      ...webhook.headers,
    },
    body: typeof webhook.body === "string" ? webhook.body : new Uint8Array(webhook.body),
  });
  return { status: answer.status, text: await answer.text() };
}
