// The phone's dock: tray, Try next and map at the bottom; it peeks, and opens by a tap or a drag of its handle.
import { h, type JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { withCommas } from "../logic/words";
import { thing, type State } from "../app/state";
import { store } from "../app/store";
import { Icon } from "./icons";
import { TasteMapPanel } from "./map";
import { TryNext } from "./next";
import { Record } from "./record";
import { Filters, leftCount, Order, Search, Tiles, Years } from "./tray";

const peek = 152;

/** Dock is given the state, and how it was before a drop whose answer is still to be drawn. */
export function Dock({ s, rest }: { s: State; rest: State }): JSX.Element {
  const box = useRef<HTMLElement>(null);
  const start = useRef<{ y: number; height: number; moved: boolean } | null>(null);
  const dragged = useRef(false); // a mouse ends its drag with a click
  const { tab, open } = s.dock;
  const full = (): number => Math.round(innerHeight * 0.65);
  useEffect(() => {
    if (box.current) box.current.style.height = "";
  }, [open]);
  const drag = {
    onPointerDown: (event: PointerEvent): void => {
      start.current = { y: event.clientY, height: box.current!.offsetHeight, moved: false };
      (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
    },
    onPointerMove: (event: PointerEvent): void => {
      if (!start.current) return;
      const by = start.current.y - event.clientY;
      if (Math.abs(by) > 4) start.current.moved = true;
      if (start.current.moved) box.current!.style.height = `${Math.max(peek, Math.min(full(), start.current.height + by))}px`;
    },
    onPointerUp: (): void => {
      const was = start.current;
      start.current = null;
      dragged.current = was?.moved ?? false;
      if (!was?.moved || !box.current) return;
      const wanted = box.current.offsetHeight > (peek + full()) / 2;
      box.current.style.height = "";
      store.set({ dock: { tab, open: wanted } });
    },
    // A tap opens by its click, which comes last: were the dock open before, the click would fall on the tile that has come under the finger.
    onClick: (event: MouseEvent): void => {
      const was = dragged.current && event.detail > 0; // a key's click has no count
      dragged.current = false;
      if (!was) store.set({ dock: { tab, open: !open } });
    },
  };
  const go = (to: State["dock"]["tab"]) => (): void => store.set({ dock: { tab: to, open: to !== tab || !open ? true : to === "tray" ? false : open } });
  const tabs: [State["dock"]["tab"], string][] = [["tray", s.width === "flat" ? "Not placed" : `Not placed ${rest.loaded ? withCommas(leftCount(rest)) : ""}`], ["next", s.width === "flat" ? "Next" : "Try next"], ["map", "Map"]];
  return (
    <section class={`dock${open ? " open" : ""}${s.held?.target?.kind === "tray" ? " aimed" : ""}`} ref={box} aria-label="Not placed, recommendations and map">
      <button
        type="button"
        class="dockHandle"
        aria-label={open ? "Make smaller" : "Make larger"}
        aria-expanded={open}
        {...drag}
      >
        <span class="handle" aria-hidden="true" />
      </button>
      <div class="tabs">
        <div role="tablist" aria-label="Panels">
        {tabs.map(([key, label]) => (
          <button key={key} type="button" role="tab" id={`tab-${key}`} aria-selected={tab === key} aria-controls="dock-panel" onClick={key === tab && key === "tray" ? () => store.set({ dock: { tab, open: !open } }) : go(key)}>{label}</button>
        ))}
        </div>
        <button
          type="button"
          class="iconButton"
          aria-label={`Find ${thing(s)}`}
          onClick={() => {
            store.set({ dock: { tab: "tray", open: true } });
            requestAnimationFrame(() => document.querySelector<HTMLInputElement>("#search")?.focus());
          }}
        >
          <Icon name="search" />
        </button>
      </div>
      <div class="dockBody" id="dock-panel" role="tabpanel" aria-labelledby={`tab-${tab}`}>
        {tab === "tray" && (
          <div class="tray inDock">
            {open && <header><Search s={rest} /><Filters s={rest} /><Years s={rest} /><Order s={rest} /></header>}
            <Tiles s={rest} strip={!open && s.width === "phone"} />
          </div>
        )}
        {tab === "next" && <div class="dockScroll"><TryNext s={s} /><Record s={rest} /></div>}
        {tab === "map" && <div class="dockScroll"><TasteMapPanel s={rest} tall /></div>}
      </div>
    </section>
  );
}
