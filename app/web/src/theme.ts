// Runs before the first paint, so that a remembered theme does not flash.
try {
  const { theme } = JSON.parse(localStorage.getItem("fubini.settings") ?? "{}") as { theme?: string };
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // no storage, no memory: the system's theme holds
}
export {};
