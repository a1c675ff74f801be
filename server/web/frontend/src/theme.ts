// Light and dark: as the system says, unless the reader has chosen. The choice stays in this browser.

export type Theme = "auto" | "light" | "dark";

/** Returns the chosen theme. */
export function chosen(): Theme {
  const theme = recall("theme");
  return theme === "light" || theme === "dark" ? theme : "auto";
}

/** Chooses a theme. */
export function choose(theme: Theme): void {
  remember("theme", theme);
  apply();
}

/** Shows the page in the chosen theme. */
export function apply(): void {
  const theme = chosen();
  if (theme === "auto") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme;
}

/** Reports whether the page is dark. */
export function isDark(): boolean {
  const theme = chosen();
  return theme === "dark" || (theme === "auto" && matchMedia("(prefers-color-scheme: dark)").matches);
}

/** Keeps a choice in this browser, where it allows that. */
export function remember(name: string, value: string): void {
  try {
    localStorage.setItem(name, value);
  } catch {
    // A browser that keeps nothing shows the page all the same.
  }
}

/** Returns a choice that was kept, or null. */
export function recall(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}
