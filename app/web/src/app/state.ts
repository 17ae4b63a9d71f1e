// What the page knows, in one place. Parts of it change only through app/*.ts.
import type { Advice, Choice, Curves, Explanation, Guess, Item, List, ModelFacts, TasteMap } from "../types";
import type { History } from "../logic/history";
import type { Entry, Said } from "../logic/record";

export type Route = { page: "board" } | { page: "learning"; job: string; operator?: boolean } | { page: "list"; id: string } | { page: "together"; ids: string[] };

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
  count: number; // records of the file: found, missing, to choose or skipped
  found: number; // of them in the catalogue
  missing: string[];
  guessed: { text: string; name: string }[];
  choices: Choice[];
  skipped: { text: string; line: number; why: string }[];
  skippedCount: number;
}

/** Hits are the items of a search, the best match first. */
export interface Hits {
  query: string;
  items: string[];
  close: boolean; // nothing is called so: these come closest
}

export type Dialog =
  | { kind: "picker"; item: string; blind: boolean; gaps: boolean }
  | { kind: "share" }
  | ({ kind: "import" } & Import)
  | { kind: "paste" }
  | { kind: "own" }
  | { kind: "importError"; message: string }
  | { kind: "keys" }
  | { kind: "hidden" }
  | { kind: "png" }
  | { kind: "key"; refused: boolean };

/** FirstMinute is the way to a first list: one card after the other. */
export interface FirstMinute {
  card: string; // the item that is asked about; "" while it is dealt
  people: number; // that the model learned from
  enough: boolean; // the guesses are worth a look
  goal: number; // answers that the person asked for; 0: until the guesses have settled
  past: { item: string; how: "placed" | "never" | "another" }[];
}

export interface State {
  first: FirstMinute | null;
  route: Route;
  list: List;
  history: History;
  visit: { list: List; guesses: boolean } | null; // somebody's shared list, read-only
  missing: boolean; // the link leads to no list
  items: Map<string, Item>;
  catalogue: string[]; // ids in the server's order; of a very large catalogue the part that was loaded
  total: number;
  large: boolean;
  worded: boolean; // items have neither emoji nor group: tiles are wider, for their names
  posters: boolean; // items have groups and no emoji: tiles are of paper, drawn by group
  next: string; // cursor of a large catalogue
  groups: string[];
  loaded: boolean; // the catalogue has come
  complete: boolean; // all of it is here: filters, search and orders need no server
  known: string[]; // the best known items, first the one that most people placed
  advice: Advice | null;
  odds: Map<string, Guess>; // all that we say under the same question: of the best, of what is in view, and of what fills the lanes
  adviceFor: string; // the question that advice answers
  trayAdvice: Advice | null; // by which the tray is in order: the same, once it has been drawn where it is read
  net: Net;
  keyed: boolean; // this tab has an API key
  map: TasteMap | null;
  trail: { x: number; y: number }[];
  model: ModelFacts | null;
  modelError: boolean;
  record: Entry[];
  said: Said | null; // what we had said of what was just placed
  touched: boolean; // something was done in this tab
  held: Held | null;
  boardFirst: boolean; // a drop is shown on the board, and its answer is awaited; tray, record and map follow
  why: { item: string; pinned: boolean; from: string } | null;
  explanation: Explanation | null;
  unexplained: string; // the item whose reasons did not come
  lit: string; // linked highlight
  dialog: Dialog | null;
  tierMenu: string; // id of the tier whose menu is open
  renaming: string; // id of the tier being renamed, or "title"
  fileMenu: boolean;
  toast: { text: string; undo: boolean | (() => void) } | null;
  listMenu: boolean;
  theme: "" | "light" | "dark";
  systemDark: boolean; // what the system asks for where the theme says nothing
  guesses: boolean;
  dense: boolean | null; // small tiles; null: as the window asks for
  folded: boolean; // the tray
  like: { item: string; items: string[] } | null; // what is most like an item, for its why card
  letters: boolean; // single-letter keys
  query: string;
  hits: Hits | null; // what the server found for the query; null until it has answered
  group: string;
  among: { title: string; words?: string; items: string[] } | null; // the tray shows these alone: what somebody else has placed, or what a lane has no room for
  years: [number, number] | null; // of a filter
  order: "" | "unsure" | "best" | "known" | "name" | "year";
  aim: "taste" | "balanced" | "interest"; // of Try next, where the model knows both
  dock: { tab: "tray" | "next" | "map"; open: boolean };
  height: "low" | "middle" | "high";
  width: "wide" | "middle" | "phone" | "flat"; // flat: a phone on its side
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
export const thing = (s: State): string => (s.posters && s.model?.facts.title?.startsWith("Film") ? "a film" : !s.loaded || s.worded || s.posters || s.model?.facts.synthetic === false ? "an item" : "a food");

/** worldOf is what the catalogue is called, so that a list of another one is told from its own. */
export const worldOf = (s: State): string => s.model?.facts.title ?? "";

/** isDense says whether tiles are small: by the person's word, or where the window is low. */
export const isDense = (s: State): boolean => s.width === "wide" && (s.dense ?? (s.height === "low" || (s.posters && s.height === "middle")));

/** small says that the page has a dock: on a phone, whichever way it is held. */
export const small = (s: State): boolean => s.width === "phone" || s.width === "flat";

/** mostSorted is the size of a catalogue that may be put in order by odds: they are asked for all of it. */
export const mostSorted = 4000;

/** byOdds says whether the tray is in an order by what we say. */
export const byOdds = (s: State): boolean => (s.order === "best" || s.order === "unsure" || (s.order === "" && !s.large)) && !(s.large && s.total > mostSorted);

/** shownList is the list on screen: the person's own, or the one they visit. */
export const shownList = (s: State): List => s.visit?.list ?? s.list;
export const readOnly = (s: State): boolean => s.route.page === "list";

/** things is what the model is about, in the plural. */
export const things = (s: State): string => (s.model?.facts.synthetic ? "foods" : s.model?.facts.title?.startsWith("Film") ? "films" : "items");
