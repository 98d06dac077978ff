/// <reference lib="dom" />
import { html } from "htm/preact";
import { useState } from "preact/hooks";

const THEMES = ["system", "light", "dark"] as const;
type Theme = (typeof THEMES)[number];

const KEY = "flotilla-theme";

/** The document names the theme for the style sheet, which without one follows the system. */
function show(theme: Theme): void {
  if (theme === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme;
}

/** A browser may refuse to keep anything for a page: then each visit begins with the system's theme. */
function kept(): Theme {
  try {
    const text = localStorage.getItem(KEY);
    return THEMES.find((theme) => theme === text) ?? "system";
  } catch {
    return "system";
  }
}

function keep(theme: Theme): void {
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // It holds until the page is left.
  }
}

// The page loads this module before it draws anything, so that no other theme flashes up.
if (typeof document !== "undefined") show(kept());

/** The choice of the theme. */
export function ThemeSwitch() {
  const [theme, setTheme] = useState(kept);
  const choose = (text: string): void => {
    const chosen = THEMES.find((each) => each === text) ?? "system";
    keep(chosen);
    show(chosen);
    setTheme(chosen);
  };
  return html`<select
    aria-label="Theme"
    value=${theme}
    onChange=${({ currentTarget }: { readonly currentTarget: HTMLSelectElement }) => choose(currentTarget.value)}
  >
    <option value="system">System theme</option>
    <option value="light">Light</option>
    <option value="dark">Dark</option>
  </select>`;
}
