// What is most like an item, by the model's own measure.
import * as api from "./api";
import { store } from "./store";
import { fillNames } from "./tray";

/** moreLike shows the nearest items of one, or hides them again. */
export async function moreLike(item: string): Promise<void> {
  if (store.state.like?.item === item) return store.set({ like: null });
  try {
    const near = (await api.similar(item)).items.map((one) => one.item);
    await fillNames(near);
    store.set({ like: { item, items: near } });
  } catch {
    store.set({ like: { item, items: [] } });
  }
}
