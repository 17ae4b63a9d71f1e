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

export function forget(key: string): void {
  try {
    localStorage.removeItem(prefix + key);
  } catch {
    // it was never kept
  }
}

/** keysOf are the keys that begin so. */
export function keysOf(start: string): string[] {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(prefix + start)).map((key) => key.slice(prefix.length));
  } catch {
    return [];
  }
}

/** onAnyOther calls back with each key that another tab has written. */
export function onAnyOther(call: (key: string) => void): void {
  addEventListener("storage", (event) => {
    if (event.key?.startsWith(prefix) && event.newValue !== null) call(event.key.slice(prefix.length));
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
