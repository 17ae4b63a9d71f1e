// Items of the person's own, with pictures of their own. Pictures are made small and stay on this device.
import { isOwn, ownId, ownName } from "../logic/own";
import type { Item } from "../types";
import { keep, recall } from "./storage";
import { shownList } from "./state";
import { store } from "./store";

const wide = 140;
const high = 156;
const most = 20_000_000; // bytes of a file

let pictures: Record<string, string> = recall<Record<string, string>>("own") ?? {};

/** addOwn makes an item and says whether it will be there after a reload; its picture may be "". */
export function addOwn(name: string, picture: string): { item: string; kept: boolean } {
  const item = ownId(name);
  pictures = { ...pictures, [item]: picture || (pictures[item] ?? "") };
  const items = new Map(store.state.items);
  items.delete(item);
  store.set({ items }); // it is known anew, with its picture
  return { item, kept: keep("own", pictures) };
}

/** knowOwn lets the page know every own item: those made here, and those of the list on screen. */
export function knowOwn(): void {
  const know = (): void => {
    const s = store.state;
    const placed = shownList(s).tiers.flatMap((tier) => tier.items).filter(isOwn);
    const all = [...new Set([...Object.keys(pictures), ...placed])];
    const fresh = all.filter((item) => !s.items.has(item));
    if (fresh.length > 0) store.set({ items: new Map([...s.items, ...fresh.map((item): [string, Item] => [item, { item, name: ownName(item), picture: pictures[item] || undefined }])]) });
    const there = new Set(s.catalogue.filter(isOwn));
    const tray = s.loaded ? all.filter((item) => !there.has(item)) : [];
    if (tray.length > 0) store.set({ catalogue: [...tray, ...s.catalogue], total: s.total + tray.length });
  };
  store.subscribe(know);
  know();
}

/** smallPicture is a picture cut and scaled to a tile. */
export async function smallPicture(file: File): Promise<string> {
  if (file.size > most) throw new Error("This picture is larger than 20 MB.");
  const whole = await createImageBitmap(file).catch(() => {
    throw new Error("This file is no picture that the browser can read.");
  });
  const canvas = document.createElement("canvas");
  canvas.width = wide;
  canvas.height = high;
  const times = Math.max(wide / whole.width, high / whole.height);
  const to = canvas.getContext("2d")!;
  to.drawImage(whole, (wide - whole.width * times) / 2, (high - whole.height * times) / 2, whole.width * times, whole.height * times);
  return canvas.toDataURL("image/jpeg", 0.8);
}
