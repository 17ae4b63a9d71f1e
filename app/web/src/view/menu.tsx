// A button with a menu below it: arrows walk, a press elsewhere closes.
import { h, type ComponentChildren, type JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";

interface Props {
  label: string; // of the menu
  face: ComponentChildren; // of the button
  name?: string; // of the button, where its face is an icon
  small: boolean; // the face is an icon alone
  open: boolean;
  toggle: () => void;
  close: () => void;
  children: ComponentChildren;
}

export function Menu({ label, name = "Menu", face, small, open, toggle, close, children }: Props): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!open) return;
    box.current?.querySelector<HTMLElement>(".menu button:not(:disabled)")?.focus();
    const outside = (event: PointerEvent): void => {
      if (!box.current?.contains(event.target as Node)) close();
    };
    document.addEventListener("pointerdown", outside);
    return () => document.removeEventListener("pointerdown", outside);
  }, [open]);
  const arrows = (event: KeyboardEvent): void => {
    const all = [...box.current!.querySelectorAll<HTMLElement>(".menu button:not(:disabled), .menu a")];
    const here = all.indexOf(document.activeElement as HTMLElement);
    const to = event.key === "ArrowDown" ? all[(here + 1) % all.length] : event.key === "ArrowUp" ? all.at(here - 1) : event.key === "Home" ? all[0] : event.key === "End" ? all.at(-1) : undefined;
    if (!to || !open) return;
    event.preventDefault();
    to.focus();
  };
  return (
    <div class="fileBox" ref={box} onKeyDown={arrows}>
      <button type="button" class={small ? "iconButton" : "outlined"} aria-haspopup="true" aria-expanded={open} aria-label={small ? name : undefined} onClick={toggle}>{face}</button>
      {open && <div class="menu floats" role="group" aria-label={label}>{children}</div>}
    </div>
  );
}
