// The one store of the page, with its first state, and the hook that components read it by.
import { noHistory } from "../logic/history";
import { emptyList } from "../logic/list";
import { titleOf } from "../logic/names";
import { Store, type State } from "./state";
import { keep, recall, tabValue } from "./storage";
import { useStore } from "./usestore";
import type { Entry } from "../logic/record";

interface Settings {
  theme: State["theme"];
  guesses: boolean;
  dense: boolean | null;
  folded: boolean;
  letters: boolean;
  order: State["order"];
  aim: State["aim"];
}

const settings = recall<Partial<Settings>>("settings") ?? {};

export const store = new Store<State>({
  first: null,
  route: { page: "board" },
  list: emptyList(),
  history: noHistory,
  visit: null,
  missing: false,
  items: new Map(),
  catalogue: [],
  total: 0,
  large: false,
  worded: false,
  posters: false,
  next: "",
  groups: [],
  loaded: false,
  complete: false,
  known: [],
  advice: null,
  odds: new Map(),
  adviceFor: "",
  trayAdvice: null,
  net: "first",
  keyed: tabValue.get("key") !== "",
  map: null,
  trail: [],
  model: null,
  modelError: false,
  record: recall<Entry[]>("record") ?? [],
  said: null,
  touched: false,
  held: null,
  boardFirst: false,
  why: null,
  explanation: null,
  unexplained: "",
  like: null,
  lit: "",
  dialog: null,
  tierMenu: "",
  renaming: "",
  fileMenu: false,
  listMenu: false,
  toast: null,
  theme: settings.theme ?? "",
  systemDark: false,
  guesses: settings.guesses ?? true,
  dense: settings.dense ?? null,
  folded: settings.folded ?? false,
  letters: settings.letters ?? true,
  query: "",
  hits: null,
  group: "",
  among: null,
  years: null,
  order: settings.order ?? "",
  aim: settings.aim ?? "taste",
  dock: { tab: "tray", open: false },
  width: "wide",
  height: "high",
  save: "device",
  share: null,
  conflict: null,
  training: null,
});

/** changeSettings changes what the device remembers beside the list. */
export function changeSettings(change: Partial<Settings>): void {
  store.set(change);
  const { theme, guesses, dense, folded, letters, order, aim } = store.state;
  keep("settings", { theme, guesses, dense, folded, letters, order, aim });
}

/** useApp gives a component the state, and draws it again when the state changes. */
export const useApp = (): State => useStore(store);

/** nameOf is what an item is called in a sentence. */
export const nameOf = (item: string): string => titleOf(store.state.items.get(item), item).title;
