// Files in and out. Nothing that was read reaches the list before the person has seen what it is.
import { fold } from "../logic/fold";
import { cut, longestName, merged } from "../logic/list";
import { plain } from "../logic/names";
import { checkSize, mostRows, readOwn, tiersCSV, tiersJSON, type ReadFile } from "../logic/tiersfile";
import { count, demoLabel } from "../logic/words";
import type { Choice, Item, List } from "../types";
import { act } from "./acts";
import * as api from "./api";
import { save } from "./download";
import { leaveFirst } from "./first";
import { asColour } from "./lists";
import { store } from "./store";
import { toast } from "./toast";
import { readOnly, type Import } from "./state";
import { fillNames } from "./tray";

export const demoNote = (): string => (store.state.model?.facts.synthetic ? demoLabel : "");

/** fileName makes a title safe for a file name. */
export const fileName = (ending: string): string => `${fold(store.state.list.title).replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "") || "tier-list"}.${ending}`;

export const exportJSON = (): void => save(fileName("json"), new Blob([tiersJSON(store.state.list, demoNote())], { type: "application/json" }));

/** exportCSV has fixed columns, so the demo label goes into the file's name. */
export const exportCSV = (): void => save(fileName(demoNote() ? "demo-world-synthetic-people.csv" : "csv"), new Blob([tiersCSV(store.state.list, (item) => plain(store.state.items.get(item)?.name ?? item))], { type: "text/csv" }));

export function pickFile(): void {
  const input = document.createElement("input");
  input.type = "file";
  input.accept = ".json,.csv,.tsv,.txt,.zip,.xml,.gz,application/json,text/csv,text/plain,application/zip,text/xml";
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

/** fileDrops takes files dropped anywhere on the page, and files and lists pasted outside of a text field. */
export function fileDrops(): void {
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", (event) => {
    event.preventDefault();
    const file = event.dataTransfer?.files[0];
    if (file) void importFile(file);
  });
  addEventListener("paste", (event) => {
    const target = event.target as Element | null;
    if (target?.closest?.("input, textarea") || store.state.dialog || readOnly(store.state)) return;
    const file = event.clipboardData?.files[0];
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (file) void importFile(file);
    else if (text.includes("\n")) void importText(text); // one line is hardly a list
  });
}

const importFile = (file: File): Promise<void> => shown(file.name, file.size, () => file.text(), file);

/** importText reads a list that was pasted. */
export const importText = (text: string): Promise<void> => shown("the pasted text", text.length, async () => text, text);

/** shown reads a file and shows what is in it: the page's own JSON here, everything else by the server. */
async function shown(name: string, size: number, text: () => Promise<string>, data: Blob | string): Promise<void> {
  try {
    checkSize(name, size); // before it is in memory
    if (size === 0) throw new Error(`${name} is empty`);
    const own = typeof data === "string" || (await data.slice(0, 1).text()) === "{" ? readOwn(name, await text()) : null;
    toast("Looking the items up…");
    const read = own && (await matchOwn(name, own));
    const found = read && read.missing.length === 0 ? read : await ask(name, data, own);
    if (store.state.large) await fillNames([...found.known.tiers.flatMap((tier) => tier.items)]);
    store.set({ dialog: { kind: "import", ...found }, toast: null });
  } catch (error) {
    if (error instanceof api.Failure && error.status === 401) return; // the page asks for a key
    const answer = error instanceof api.Failure && error.status === 0 ? "The server does not answer, and it reads the file. Try again in a moment" : (error as Error).message;
    store.set({ dialog: { kind: "importError", message: answer.replace(/\.$/, "") }, toast: null });
  }
}

const tierName = (name: string, i: number): string => cut(name, longestName) || "SABCDEFGHIJKLMNOPQRTUVWXYZ"[i] || `T${i + 1}`;

/** matchOwn finds the items of the page's own file by their ids. An item named twice keeps its first place. */
async function matchOwn(name: string, read: ReadFile): Promise<Import> {
  const missing: string[] = [];
  const used = new Set<string>();
  let count = 0;
  const all = [...read.tiers.flatMap((tier) => tier.items), ...read.never, ...read.hidden];
  if (store.state.large) await fillNames(all);
  const pick = (ids: string[]): string[] =>
    ids.filter((id) => {
      count++;
      if (!store.state.items.has(id)) missing.push(id);
      else if (!used.has(id)) {
        used.add(id);
        return true;
      }
      return false;
    });
  const tiers = read.tiers.map((tier, i) => ({ id: `t${i + 1}`, name: tierName(tier.name, i), colour: asColour(tier.colour, i), items: pick(tier.items) }));
  const known: List = { title: read.title || store.state.list.title, tiers, never: pick(read.never), hidden: pick(read.hidden) };
  return { name, known, count, found: count - missing.length, missing, guessed: [], choices: [], skipped: [], skippedCount: 0 };
}

/** ask lets the server read a file. The names and colours of tiers of the page's own file stay. */
async function ask(name: string, data: Blob | string, own: ReadFile | null): Promise<Import> {
  const { people, report } = await api.importFile(name, data);
  if (people.length !== 1) throw new Error(`${name} holds ${people.length} people; a list is of one`);
  const [person] = people;
  const placed = person.tiers.reduce((n, tier) => n + tier.items.length, 0);
  if (placed > mostRows) throw new Error(`${name} has ${placed.toLocaleString("en-GB")} items of this catalogue; a list has at most ${mostRows.toLocaleString("en-GB")}`);
  const filled = own?.tiers.filter((tier) => tier.items.length > 0) ?? [];
  const old = filled.length === person.tiers.length ? filled : [];
  const tiers = person.tiers.map((tier, i) => ({ id: `t${i + 1}`, name: tierName(old[i]?.name ?? tier.name, i), colour: asColour(old[i]?.colour ?? "", i), items: tier.items }));
  const known: List = { title: own?.title || store.state.list.title, tiers, never: [], hidden: person.seen.slice(0, mostRows - placed) };
  const { counts } = report;
  return {
    name,
    known,
    count: report.read,
    found: counts.matched + counts.guessed,
    missing: report.not_matched.map((one) => one.text),
    guessed: report.guessed,
    choices: report.ambiguous,
    skipped: report.skipped,
    skippedCount: counts.skipped,
  };
}

/** learn adds an item that the loaded part of a large catalogue does not hold. */
export function learn(item: Item | undefined): void {
  if (item && !store.state.items.has(item.item)) store.set({ items: new Map(store.state.items).set(item.item, item) });
}

/** withChoices adds the items that a person chose for names that several fit. */
export function withChoices(known: List, choices: Choice[], chosen: string[]): List {
  const used = new Set([...known.tiers.flatMap((tier) => tier.items), ...known.hidden]);
  const tiers = known.tiers.map((tier) => ({ ...tier, items: [...tier.items] }));
  const hidden = [...known.hidden];
  choices.forEach((choice, i) => {
    if (!chosen[i] || used.has(chosen[i])) return;
    used.add(chosen[i]);
    (tiers[choice.tier]?.items ?? hidden).push(chosen[i]);
  });
  return { ...known, tiers, hidden };
}

/** takeImport is one undo step, whichever way it is taken. */
export function takeImport(known: List, how: "replace" | "merge"): void {
  const placed = known.tiers.reduce((n, tier) => n + tier.items.length, 0);
  const list = how === "replace" ? known : merged(store.state.list, known);
  store.set({ dialog: null });
  act({ kind: "replace", list, why: `List imported, ${count(placed, "item")}` });
  if (store.state.first) leaveFirst(true); // the questions of the first minute are answered
}
