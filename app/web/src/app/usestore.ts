// The hook that components read a store by.
import { useEffect, useState } from "preact/hooks";
import type { Store } from "./state";

/** useStore gives a component the state, and draws it again when the state changes. */
export function useStore<S extends object>(store: Store<S>): S {
  const [state, setState] = useState(store.state);
  useEffect(() => {
    setState(store.state);
    return store.subscribe(() => setState(store.state));
  }, []);
  return state;
}
