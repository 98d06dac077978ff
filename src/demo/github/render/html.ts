/** Text that is safe inside HTML. Only `html` creates it. */
export interface Html {
  readonly html: string;
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

type Shown = string | number | Html | null | undefined | readonly Shown[];

function show(value: Shown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "object") return "html" in value ? value.html : value.map(show).join("");
  return String(value).replace(/[&<>"']/g, (character) => entities[character] ?? character);
}

/** Builds HTML. Escapes every value that is not HTML itself. */
export function html(parts: TemplateStringsArray, ...values: readonly Shown[]): Html {
  return {
    html: parts.map((part, index) => part + (index < values.length ? show(values[index]) : "")).join(""),
  };
}

const style = `body{font:15px/1.5 system-ui,sans-serif;max-width:52rem;margin:2rem auto;padding:0 1rem;color:#1f2328}
a{color:#0969da;text-decoration:none}a:hover{text-decoration:underline}
.box{border:1px solid #d1d9e0;border-radius:6px;margin:1rem 0}.box>header{background:#f6f8fa;padding:.4rem .8rem;border-radius:6px 6px 0 0;color:#59636e}
.box>div{padding:.1rem .8rem;overflow-wrap:anywhere}.text table{border-collapse:collapse;overflow-wrap:break-word}.text :is(td,th){border:1px solid #d1d9e0;padding:.2rem .6rem}.text code{background:#f6f8fa;padding:.1rem .3rem;border-radius:4px}
.text blockquote{border-left:3px solid #d1d9e0;margin-left:0;padding-left:.8rem;color:#59636e}.state{border-radius:2em;color:#fff;padding:.2rem .7rem}
.open{background:#1a7f37}.closed{background:#8250df}.label{border-radius:2em;padding:.1rem .6rem;border:1px solid #d1d9e0;margin-right:.3rem;font-size:12px}
pre{background:#f6f8fa;padding:.6rem;overflow:auto;font-size:12px;line-height:1.4}.add{color:#1a7f37}.del{color:#cf222e}
form{display:inline-block;margin:.3rem .5rem .3rem 0}textarea{display:block;width:40rem;max-width:95vw;height:5rem}small{color:#59636e}`;

/** Headers that keep anything in a text from running or loading. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy":
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
};

/** Builds a whole page around `body`. */
export function page(title: string, body: Html): string {
  const whole = html`<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>
<style>${{ html: style }}</style></head><body><small><a href="/">Local GitHub</a>: everything here lives in this process only</small>${body}</body></html>`;
  return whole.html;
}
