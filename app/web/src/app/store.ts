// The one store of the page, with its first state, and the hook that components read it by.
import { noHistory } from "../logic/history";
import { emptyList } from "../logic/list";
import { Store, type State } from "./state";
import { keep, recall, tabValue } from "./storage";
import { useStore } from "./usestore";
import type { Entry } from "../logic/record";

interface Settings {
  theme: State["theme"];
  guesses: boolean;
  letters: boolean;
  order: State["order"];
}

const settings = recall<Partial<Settings>>("settings") ?? {};

export const store = new Store<State>({
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
  next: "",
  groups: [],
  loaded: false,
  advice: null,
  adviceFor: "",
  trayAdvice: null,
  net: "first",
  keyed: tabValue.get("key") !== "",
  map: null,
  trail: [],
  model: null,
  modelError: false,
  record: recall<Entry[]>("record") ?? [],
  said: "",
  held: null,
  boardFirst: false,
  why: null,
  explanation: null,
  lit: "",
  dialog: null,
  tierMenu: "",
  renaming: "",
  fileMenu: false,
  toast: null,
  theme: settings.theme ?? "",
  systemDark: false,
  guesses: settings.guesses ?? true,
  letters: settings.letters ?? true,
  query: "",
  group: "",
  order: settings.order ?? "unsure",
  dock: { tab: "tray", open: false },
  width: "wide",
  save: "device",
  share: null,
  conflict: null,
  training: null,
});

/** changeSettings changes what the device remembers beside the list. */
export function changeSettings(change: Partial<Settings>): void {
  store.set(change);
  const { theme, guesses, letters, order } = store.state;
  keep("settings", { theme, guesses, letters, order });
}

/** useApp gives a component the state, and draws it again when the state changes. */
export const useApp = (): State => useStore(store);

export const nameOf = (item: string): string => store.state.items.get(item)?.name ?? item;
