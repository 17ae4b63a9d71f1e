// A row of things that keeps still while things are taken out of it and put back.

/**
 * fill is the old row with what is there now. The place of something that is gone is taken by the first thing from `beyond`
 * on, which nobody sees, so that nothing else moves; without one the row closes up. What is new or has come back goes where
 * it stands in `now`: before the first thing that follows it there.
 */
export function fill(old: string[], now: string[], beyond: number): string[] {
  const present = new Set(now);
  const before = new Set(old);
  const out = [...old];
  for (let i = 0; i < out.length; i++) {
    if (present.has(out[i])) continue;
    let from = Math.max(beyond, i + 1);
    while (from < out.length && !present.has(out[from])) from++;
    if (from < out.length) {
      out[i] = out[from];
      out.splice(from, 1);
    } else {
      out.splice(i, 1);
      i--;
    }
  }
  const added = now.filter((item) => !before.has(item));
  if (added.length === 0) return out;
  if (added.length > 50) return [...out, ...added]; // a page more, not a hand's work
  for (const item of added) {
    const after = now.slice(now.indexOf(item) + 1).find((next) => before.has(next));
    const at = after === undefined ? out.length : out.indexOf(after);
    out.splice(at < 0 ? out.length : at, 0, item);
  }
  return out;
}
