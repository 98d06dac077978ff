import { createHash } from "node:crypto";
import { Marked } from "marked";
import { signedAddress } from "../auth/signed-address.ts";
import { type Answer, ok } from "../http/answer.ts";
import type { Call } from "../http/route.ts";
import type { World } from "../world/world.ts";
import { type Html, html } from "./html.ts";

const FULL = /^application\/vnd\.github\.(?:v3\.)?full\+json$/;

/** Answers with an issue or a comment; in its full form, where the request asks for that, also as HTML and as text. */
export function inForm({ world, accept }: Call, rendered: Record<string, unknown>): Answer {
  if (!FULL.test(accept)) return ok(rendered);
  const { body } = rendered;
  const body_html = typeof body === "string" ? bodyHtml(world, body) : "";
  const body_text = body_html.replace(/<[^>]*>/g, "").trim();
  const headers = { "x-github-media-type": "github.v3; param=full; format=json" };
  return ok({ ...rendered, body_html, body_text }, headers);
}

/** Renders a text as GitHub does. Of the HTML in it, only pictures are rendered; the rest is shown as source. */
function bodyHtml(world: World, body: string): string {
  const markdown = new Marked({
    async: false,
    gfm: true,
    breaks: true,
    renderer: {
      image: ({ href, text }) => picture(world, href, html`alt="${text}" `).html,
      html: ({ text }) => htmlIn(world, text),
    },
  });
  return markdown.parse(body.replaceAll(/<!--.*?-->/gs, ""), { async: false }).trim();
}

function htmlIn(world: World, text: string): string {
  const parts = text.split(/(<img\s[^<>]*>)/i);
  return parts
    .map((part) => {
      if (!/^<img\s/i.test(part)) return html`${part}`.html;
      const attributes = new Map(
        [...part.matchAll(/([a-z]+)="([^"]*)"/gi)].map(([, name = "", value = ""]) => [name, value]),
      );
      const kept = ["width", "height", "alt"].flatMap((name) => {
        const value = attributes.get(name);
        return value === undefined ? [] : [html`${{ html: name }}="${value}" `];
      });
      return picture(world, attributes.get("src") ?? "", html`${kept}`).html;
    })
    .join("");
}

/** Renders a picture: an attachment at its signed address, all others through the server that hides who reads them. */
function picture({ attachments, origin, nowMs }: World, address: string, attributes: Html): Html {
  const asset = address.startsWith(`${origin}/user-attachments/assets/`)
    ? attachments.get(address.split("/").at(-1) ?? "")
    : undefined;
  const src = asset === undefined ? camo(address) : signedAddress(origin, asset, nowMs());
  const canonical = asset === undefined ? html` data-canonical-src="${address}"` : "";
  return html`<a target="_blank" rel="noopener noreferrer" href="${src}"><img ${attributes}src="${src}"${canonical} style="max-width: 100%;"></a>`;
}

function camo(address: string): string {
  const digest = createHash("sha256").update(address).digest("hex");
  return `https://camo.githubusercontent.com/${digest}/${Buffer.from(address).toString("hex")}`;
}
