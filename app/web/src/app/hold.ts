// An item held by keyboard: it walks over the 2T+1 places, tiers and gaps in turn.
import { tierOf } from "../logic/list";
import { shortTier } from "../logic/names";
import { overGap, overTier, pickedUp } from "../logic/words";
import { drop, isBlind, sawWhy } from "./acts";
import { say, noNews } from "./announce";
import { focusItem } from "./focus";
import type { Target } from "./state";
import { nameOf, store } from "./store";

/** home is where an item is, in words. */
const home = (item: string): string => {
  const tier = tierOf(store.state.list, item);
  return tier < 0 ? "the tray" : shortTier(store.state.list.tiers[tier].name);
};

export function pickUp(item: string, fromGuess: boolean): void {
  if (fromGuess) sawWhy(item);
  const { list } = store.state;
  const tier = tierOf(list, item);
  const target: Target | null = tier < 0 ? null : { kind: "tier", tier, at: list.tiers[tier].items.indexOf(item) };
  noNews();
  store.set({ held: { item, by: "key", blind: isBlind(item), target }, why: null, lit: "" });
  say(pickedUp(nameOf(item), home(item)));
}

/** place numbers the 2T+1 places: gaps even, tiers odd. */
const place = (target: Target | null): number =>
  target?.kind === "tier" ? 2 * target.tier + 1 : target?.kind === "gap" ? 2 * target.before : -1;

function go(to: number): void {
  const { list, held } = store.state;
  if (!held) return;
  const last = 2 * list.tiers.length;
  const n = Math.max(0, Math.min(last, to));
  if (n % 2 === 0) {
    store.set({ held: { ...held, target: { kind: "gap", before: n / 2 } } });
    say(overGap(list, n / 2));
    return;
  }
  const tier = (n - 1) / 2;
  const others = list.tiers[tier].items.filter((item) => item !== held.item);
  store.set({ held: { ...held, target: { kind: "tier", tier, at: others.length } } });
  say(overTier(list, tier));
}

/** heldKey does what a key does while an item is held, and says whether it was one of ours. */
export function heldKey(key: string): boolean {
  const { held, list } = store.state;
  if (!held || held.by !== "key") return false;
  const now = place(held.target);
  const last = 2 * list.tiers.length;
  switch (key) {
    case "ArrowUp":
      go(now < 0 ? last - 1 : now - 1); // from the tray upwards the nearest tier is the last
      return true;
    case "ArrowDown":
      go(now < 0 ? 1 : now + 1);
      return true;
    case "Home":
      go(0);
      return true;
    case "End":
      go(last);
      return true;
    case "ArrowLeft":
    case "ArrowRight": {
      if (held.target?.kind !== "tier") return true;
      const others = list.tiers[held.target.tier].items.filter((item) => item !== held.item).length;
      const at = Math.max(0, Math.min(others, held.target.at + (key === "ArrowLeft" ? -1 : 1)));
      store.set({ held: { ...held, target: { ...held.target, at } } });
      say(`Position ${at + 1} of ${others + 1}.`);
      return true;
    }
    case " ":
    case "Enter":
      if (!held.target) putBack();
      else {
        store.set({ held: null });
        drop(held.item, held.target, held.blind);
        focusItem(held.item);
      }
      return true;
    case "Escape":
      putBack();
      return true;
  }
  return false;
}

export function putBack(): void {
  const { held } = store.state;
  if (!held) return;
  store.set({ held: null });
  say(`Put back in ${home(held.item)}.`);
}
