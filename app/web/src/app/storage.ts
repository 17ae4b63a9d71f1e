// What stays on the device. Storage may be forbidden or full: then the page works on, and says so.

const prefix = "fubini.";

/** recall reads a value, or null where there is none, it is broken, or storage is forbidden. */
export function recall<T>(key: string): T | null {
  try {
    const text = localStorage.getItem(prefix + key);
    return text === null ? null : (JSON.parse(text) as T);
  } catch {
    return null;
  }
}

/** keep writes a value and says whether it is now on the device. */
export function keep(key: string, value: unknown): boolean {
  try {
    localStorage.setItem(prefix + key, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

/** onOtherTab calls back when another tab has written the key. */
export function onOtherTab(key: string, call: () => void): void {
  addEventListener("storage", (event) => {
    if (event.key === prefix + key && event.newValue !== null) call();
  });
}

/** tabValue is kept by this tab alone. */
export const tabValue = {
  get(key: string): string {
    try {
      return sessionStorage.getItem(prefix + key) ?? "";
    } catch {
      return "";
    }
  },
  set(key: string, value: string): void {
    try {
      sessionStorage.setItem(prefix + key, value);
    } catch {
      // the tab forgets it on reload
    }
  },
  remove(key: string): void {
    try {
      sessionStorage.removeItem(prefix + key);
    } catch {
      // it was never kept
    }
  },
};
