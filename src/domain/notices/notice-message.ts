import { cutHead } from "../messages/format.ts";
import type { NoticeReceiver } from "../settings/notices-section.ts";
import type { Notice } from "./notice.ts";

/** Characters; a message of Discord has at most 2,000. */
const LONGEST = 1_900;
/** Characters of a single title and text before they are escaped, which can double them. */
const TITLE = 256;
const TEXT = 500;

/** Returns the JSON that the receiver gets; several notices become one message. */
export function noticeMessage(format: NoticeReceiver["format"], notices: readonly Notice[]): string {
  switch (format) {
    case "standard":
      return JSON.stringify(standard(notices));
    case "slack":
      return JSON.stringify({ text: listed(notices, slackLine), unfurl_links: false });
    case "discord":
      return JSON.stringify({
        content: listed(notices, discordLine),
        allowed_mentions: { parse: [] },
        // Suppresses previews of links.
        flags: 4,
      });
  }
}

function standard(notices: readonly Notice[]) {
  const [first] = notices;
  const data = notices.map(({ at, ...notice }) => ({ ...notice, at: new Date(at).toISOString() }));
  return {
    type: first !== undefined && notices.length === 1 ? `flotilla.${first.event}` : "flotilla.digest",
    timestamp: data.at(-1)?.at,
    data: { notices: data },
  };
}

/** The oldest first; what does not fit is counted. */
function listed(notices: readonly Notice[], line: (notice: Notice) => string): string {
  const lines = notices.map(line);
  let shown = lines.length;
  const text = () => [...lines.slice(0, shown), ...rest(lines.length - shown)].join("\n\n");
  while (shown > 1 && text().length > LONGEST) shown -= 1;
  return text();
}

const rest = (left: number) => (left === 0 ? [] : [`And ${left} more.`]);

function slackLine({ repository, issue, title, text, url, page }: Notice): string {
  const name = title === null ? "" : ` ${slackText(cutHead(title, TITLE))}`;
  return `*<${slackText(url)}|${slackText(`${repository}#${issue}`)}>*${name}\n${slackText(cutHead(text, TEXT))}${page === null ? "" : ` <${slackText(page)}|Open the agent>`}`;
}

/** Nothing in it is markup, a link or a mention for Slack; its own characters of emphasis have no escape. */
function slackText(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replace(/[*_~`]/g, (mark) => `${mark}\u200B`);
}

function discordLine({ repository, issue, title, text, url, page }: Notice): string {
  const name = title === null ? "" : ` ${discordText(cutHead(title, TITLE))}`;
  return `**[${discordText(`${repository}#${issue}`)}](<${url}>)**${name}\n${discordText(cutHead(text, TEXT))}${page === null ? "" : ` [Open the agent](<${page}>)`}`;
}

function discordText(text: string): string {
  return text.replace(/[\\*_~`|>#[\]()<@:-]/g, (mark) => `\\${mark}`);
}
