import { type NoticeReceiver, noticeEvent } from "../../src/domain/settings/notices-section.ts";

/** A receiver of all notices, at once and at each hour. */
export function aReceiver(more: Partial<NoticeReceiver> = {}): NoticeReceiver {
  return {
    urlEnv: "TEAM_URL",
    format: "standard",
    secretEnv: "TEAM_KEY",
    events: noticeEvent.options,
    digestMs: undefined,
    quiet: undefined,
    ...more,
  };
}
