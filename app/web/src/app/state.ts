// What the page knows, in one place. Parts of it change only through app/*.ts.
import type { Advice, Curves, Explanation, Item, List, ModelFacts, TasteMap } from "../types";
import type { History } from "../logic/history";
import type { Entry } from "../logic/record";
import type { Choice } from "./api";

export type Route = { page: "board" } | { page: "learning"; job: string } | { page: "list"; id: string };

/** Target is one of the 2T+1 places a held item can go to, or the tray. */
export type Target = { kind: "tier"; tier: number; at: number } | { kind: "gap"; before: number } | { kind: "tray" };

export interface Held {
  item: string;
  by: "pointer" | "key";
  blind: boolean; // it comes from the tray and its why card was not opened: its own guess is hidden
  target: Target | null;
}

export type Net = "first" | "ok" | "updating" | "error" | "offline" | "locked"; // locked: the server asks for an API key
export type Save = "device" | "saving" | "link" | "not";

export interface Share {
  id: string;
  secret: string;
  etag: string;
  guesses: boolean;
}

export type Conflict = { where: "device"; theirs: string } | { where: "link"; etag: string };

/** Training is a job that an admin follows. */
export type Training =
  | { state: "asking" | "none" | "refused"; curves?: undefined }
  | { state: "waiting" | "lost"; curves: Curves }
  | { state: "running"; epoch: number; epochs: number; left: number; curves: Curves }
  | { state: "ended"; how: string; failure?: string; curves?: undefined };

/** Import is a file that was read, before the person takes it. */
export interface Import {
  name: string;
  known: List;
  count: number; // names in the file
  found: number; // of them in the catalogue
  missing: string[];
  guessed: { text: string; name: string }[];
  choices: Choice[];
  skipped: { text: string; line: number; why: string }[];
  skippedCount: number;
}

export type Dialog =
  | { kind: "picker"; item: string; blind: boolean; gaps: boolean }
  | { kind: "share" }
  | ({ kind: "import" } & Import)
  | { kind: "paste" }
  | { kind: "importError"; message: string }
  | { kind: "keys" }
  | { kind: "hidden" }
  | { kind: "png" }
  | { kind: "key"; refused: boolean };

export interface State {
  route: Route;
  list: List;
  history: History;
  visit: { list: List; guesses: boolean } | null; // somebody's shared list, read-only
  missing: boolean; // the link leads to no list
  items: Map<string, Item>;
  catalogue: string[]; // ids in the server's order; of a large catalogue the part that was loaded
  total: number;
  large: boolean;
  worded: boolean; // no item has an emoji: tiles are wider, for their names
  next: string; // cursor of a large catalogue
  groups: string[];
  loaded: boolean; // the catalogue has come
  advice: Advice | null;
  adviceFor: string; // the question that advice answers
  trayAdvice: Advice | null; // by which the tray is in order: the same, once it has been drawn where it is read
  net: Net;
  keyed: boolean; // this tab has an API key
  map: TasteMap | null;
  trail: { x: number; y: number }[];
  model: ModelFacts | null;
  modelError: boolean;
  record: Entry[];
  said: string; // the last line under the record
  held: Held | null;
  boardFirst: boolean; // a drop is shown on the board, and its answer is awaited; tray, record and map follow
  why: { item: string; pinned: boolean; from: string } | null;
  explanation: Explanation | null;
  lit: string; // linked highlight
  dialog: Dialog | null;
  tierMenu: string; // id of the tier whose menu is open
  renaming: string; // id of the tier being renamed, or "title"
  fileMenu: boolean;
  toast: { text: string; undo: boolean } | null;
  theme: "" | "light" | "dark";
  systemDark: boolean; // what the system asks for where the theme says nothing
  guesses: boolean;
  letters: boolean; // single-letter keys
  query: string;
  group: string;
  order: "unsure" | "best" | "name";
  dock: { tab: "tray" | "next" | "map"; open: boolean };
  width: "wide" | "middle" | "phone";
  save: Save;
  share: Share | null;
  conflict: Conflict | null;
  training: Training | null;
}

type Listener = () => void;

/** Store holds a state and tells its listeners once per change. */
export class Store<S extends object = State> {
  private listeners = new Set<Listener>();
  constructor(public state: S) {}
  set(change: Partial<S>): void {
    this.state = { ...this.state, ...change };
    for (const listener of this.listeners) listener();
  }
  subscribe(listener: Listener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}

/** thing is what the catalogue holds, in a sentence. */
export const thing = (s: State): string => (s.worded || s.model?.facts.synthetic === false ? "an item" : "a food");

/** shownList is the list on screen: the person's own, or the one they visit. */
export const shownList = (s: State): List => s.visit?.list ?? s.list;
export const readOnly = (s: State): boolean => s.route.page === "list";
