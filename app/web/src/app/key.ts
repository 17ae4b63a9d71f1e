// The API key of a server that asks for one. This tab keeps it, in session storage; no list, file, link or address has it.
import { opened } from "./focus";
import { store } from "./store";
import { tabValue } from "./storage";

let key = tabValue.get("key");

export const apiKey = (): string => key;

/** takeKey keeps a key that the server has taken. */
export function takeKey(good: string): void {
  key = good;
  tabValue.set("key", good);
  store.set({ keyed: true });
}

/** forgetKey starts the page anew: what the key has fetched leaves its memory too. */
export function forgetKey(): void {
  drop();
  location.reload();
}

function drop(): void {
  key = "";
  tabValue.remove("key");
  store.set({ keyed: false });
}

/**
 * locked notes that the server has refused a request for its key, or for want of one. The first time the page asks for a
 * key, unless something else is open; a shared list is shown without.
 */
export function locked(sent: string): void {
  const { net, held, dialog, route } = store.state;
  if (sent !== key || net === "locked") return; // another key has been given since, or all is said
  if (sent) drop();
  store.set({ net: "locked" });
  if (!held && !dialog && route.page !== "list") askKey(sent !== "");
}

/** askKey opens the dialog; refused says that the key so far is good no longer. */
export function askKey(refused = false): void {
  opened();
  store.set({ dialog: { kind: "key", refused } });
}
