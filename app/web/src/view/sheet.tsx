// A sheet on the phone, a dialog elsewhere: focus stays inside, Escape and the backdrop close it.
import { h, type ComponentChildren, type JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Icon } from "./icons";

interface Props {
  label: string;
  close: () => void;
  children: ComponentChildren;
  wide?: boolean;
}

export function Sheet({ label, close, children, wide }: Props): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const find = (selector: string): HTMLElement | null | undefined => box.current?.querySelector<HTMLElement>(selector);
    (find("[data-first]:not(:disabled)") ?? find(".choice:not(:disabled), .actions button:not(:disabled)") ?? find("button") ?? box.current)?.focus({ preventScroll: true });
  }, []);
  const keep = (event: KeyboardEvent): void => {
    if (event.key !== "Tab" || !box.current) return;
    const all = [...box.current.querySelectorAll<HTMLElement>("button:not(:disabled), input, select, a[href], [tabindex='0']")].filter((e) => e.getClientRects().length > 0);
    const edge = event.shiftKey ? all[0] : all.at(-1);
    if (document.activeElement !== edge) return;
    event.preventDefault();
    (event.shiftKey ? all.at(-1) : all[0])?.focus();
  };
  return (
    <div class="veil floats" onClick={(event) => event.target === event.currentTarget && close()}>
      <div class={`sheet${wide ? " wide" : ""}`} ref={box} role="dialog" aria-modal="true" aria-label={label} tabIndex={-1} onKeyDown={keep}>
        <div class="handle" aria-hidden="true" />
        {children}
      </div>
    </div>
  );
}

/** Head is the title of a sheet, with the button that closes it. */
export function Head({ title, close }: { title: string; close: () => void }): JSX.Element {
  return (
    <header class="sheetHead">
      <div><h2>{title}</h2></div>
      <button type="button" class="iconButton" aria-label="Close" onClick={close}><Icon name="close" /></button>
    </header>
  );
}
