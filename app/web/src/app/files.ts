// Files in and out. Nothing that was read reaches the list before the person has seen what it is.
import { fold, titleKey, titleWords } from "../logic/fold";
import { merged } from "../logic/list";
import { plain } from "../logic/names";
import { checkSize, readFile, tiersCSV, tiersJSON, type ReadFile, type Wanted } from "../logic/tiersfile";
import { count, demoLabel } from "../logic/words";
import { type List } from "../types";
import { act } from "./acts";
import * as api from "./api";
import { save } from "./download";
import { asColour } from "./lists";
import { nameOf, store } from "./store";
import { toast } from "./toast";
import { together } from "./tray";

export const demoNote = (): string => (store.state.model?.facts.synthetic ? demoLabel : "");

/** fileName makes a title safe for a file name. */
export const fileName = (ending: string): string => `${fold(store.state.list.title).replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "") || "tier-list"}.${ending}`;

export const exportJSON = (): void => save(fileName("json"), new Blob([tiersJSON(store.state.list, demoNote())], { type: "application/json" }));

/** exportCSV has fixed columns, so the demo label goes into the file's name. */
export const exportCSV = (): void => save(fileName(demoNote() ? "demo-world-synthetic-people.csv" : "csv"), new Blob([tiersCSV(store.state.list, (item) => plain(nameOf(item)))], { type: "text/csv" }));

export function pickFile(): void {
  const input = document.createElement("input");
  input.type = "file";
  input.accept = ".json,.csv,.tsv,.txt,.zip,application/json,text/csv,application/zip";
  input.id = "file-input";
  input.className = "unseen";
  input.tabIndex = -1;
  input.setAttribute("aria-hidden", "true");
  input.addEventListener("change", () => {
    if (input.files?.[0]) void importFile(input.files[0]);
    input.remove();
  });
  input.addEventListener("cancel", () => input.remove());
  document.getElementById("file-input")?.remove();
  document.body.append(input);
  input.click();
}

/** fileDrops takes files dropped anywhere on the page. */
export function fileDrops(): void {
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", (event) => {
    event.preventDefault();
    const file = event.dataTransfer?.files[0];
    if (file) void importFile(file);
  });
}

/** importFile reads a file and shows what is in it. */
async function importFile(file: File): Promise<void> {
  try {
    checkSize(file.name, file.size); // before it is in memory
    const read = await readFile(file.name, await file.arrayBuffer());
    if (store.state.large) toast("Looking the items up…");
    const { known, missing, total } = await match(read);
    store.set({ dialog: { kind: "import", name: file.name, read, known, count: total, missing }, toast: null });
  } catch (error) {
    store.set({ dialog: { kind: "importError", message: (error as Error).message } });
  }
}

/** match finds the file's items in the catalogue, by id or by name. An item named twice keeps its first place. */
async function match(read: ReadFile): Promise<{ known: List; missing: string[]; total: number }> {
  const byName = new Map([...store.state.items.values()].map((item) => [titleKey(item.name), item.item]));
  const missing: string[] = [];
  const used = new Set<string>();
  let total = 0;
  const find = async (wanted: Wanted): Promise<string> => {
    const { items, large } = store.state;
    if (wanted.id && items.has(wanted.id)) return wanted.id;
    const named = wanted.name ? byName.get(titleKey(wanted.name)) : undefined;
    if (named || !large) return named ?? "";
    const found = wanted.id ? await api.item(wanted.id).catch(() => null) : null;
    const page = !found && wanted.name ? await api.items({ q: titleWords(wanted.name), limit: 20 }).catch(() => null) : null;
    const hit = found ?? page?.items.find((item) => titleKey(item.name) === titleKey(wanted.name));
    if (!hit) return "";
    store.set({ items: new Map(store.state.items).set(hit.item, hit) });
    return hit.item;
  };
  const pick = async (wanted: Wanted[]): Promise<string[]> => {
    const ids: string[] = [];
    const found: string[] = [];
    for (let i = 0; i < wanted.length; i += together) found.push(...(await Promise.all(wanted.slice(i, i + together).map(find))));
    for (const [i, one] of wanted.entries()) {
      total++;
      const id = found[i];
      if (!id) missing.push(one.name || one.id);
      else if (!used.has(id)) {
        used.add(id);
        ids.push(id);
      }
    }
    return ids;
  };
  const tiers = [];
  for (const [i, tier] of read.tiers.entries())
    tiers.push({ id: `t${i + 1}`, name: tier.name || "SABCDEFGHIJKLMNOPQRTUVWXYZ"[i] || `T${i + 1}`, colour: asColour(tier.colour, i), items: await pick(tier.items) });
  const known: List = { title: read.title || store.state.list.title, tiers, never: await pick(read.never), hidden: await pick(read.hidden) };
  return { known, missing, total };
}

/** takeImport is one undo step, whichever way it is taken. */
export function takeImport(known: List, how: "replace" | "merge"): void {
  const placed = known.tiers.reduce((n, tier) => n + tier.items.length, 0);
  const list = how === "replace" ? known : merged(store.state.list, known);
  store.set({ dialog: null });
  act({ kind: "replace", list, why: `List imported, ${count(placed, "item")}` });
}
