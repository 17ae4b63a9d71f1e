// The tier menu: rename, colour, order, and taking the tier away.
import { h, type JSX } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { palette, type Tier } from "../types";
import { act } from "../app/acts";
import { back } from "../app/focus";
import type { State } from "../app/state";
import { store } from "../app/store";
import { cut, longestName, type Act } from "../logic/list";
import { shortTier } from "../logic/names";

export function close(): void {
  store.set({ tierMenu: "", renaming: "" });
  back();
}

export function TierMenu({ s, tier, row }: { s: State; tier: Tier; row: number }): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    const menu = box.current!;
    const { top, bottom, height } = menu.getBoundingClientRect();
    if (bottom > innerHeight && top > height) menu.classList.add("up"); // no room below the last tiers
  }, []);
  useEffect(() => {
    if (s.renaming === tier.id) {
      input.current?.focus();
      input.current?.select();
    } else input.current?.focus();
    const outside = (event: PointerEvent): void => {
      if (!box.current?.contains(event.target as Node) && !(event.target as Element).closest(".spine")) store.set({ tierMenu: "", renaming: "" });
    };
    document.addEventListener("pointerdown", outside);
    return () => document.removeEventListener("pointerdown", outside);
  }, []);
  const rename = (): void => {
    const name = cut(input.current?.value.trim() ?? "", longestName);
    if (name) act({ kind: "rename", tier: tier.id, name });
  };
  const doing = (a: Act, stay = false) => (): void => {
    rename();
    act(a);
    if (!stay) close();
  };
  const last = s.list.tiers.length - 1;
  return (
    <div class="menu tierMenu floats" ref={box} role="dialog" aria-label={`Tier ${shortTier(tier.name)}`}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          rename();
          close();
        }}
      >
        <label>
          <span>Name</span>
          <input ref={input} value={tier.name} maxLength={longestName} onBlur={rename} dir="auto" />
        </label>
      </form>
      <div class="swatches" role="group" aria-label="Colour">
        {palette.map((colour) => (
          <button key={colour} type="button" class={`swatch fill-${colour}`} aria-pressed={tier.colour === colour} aria-label={colour} title={colour} onClick={() => act({ kind: "colour", tier: tier.id, colour })} />
        ))}
      </div>
      <button type="button" disabled={row === 0} onClick={doing({ kind: "moveTier", tier: tier.id, by: -1 })}>Move up</button>
      <button type="button" disabled={row === last} onClick={doing({ kind: "moveTier", tier: tier.id, by: 1 })}>Move down</button>
      <button type="button" onClick={doing({ kind: "addTier", before: row })}>Add above</button>
      <button type="button" onClick={doing({ kind: "addTier", before: row + 1 })}>Add below</button>
      <hr />
      <button type="button" disabled={tier.items.length === 0} onClick={doing({ kind: "emptyTier", tier: tier.id })}>Send all to tray</button>
      <button type="button" class="danger" disabled={last === 0} onClick={doing({ kind: "removeTier", tier: tier.id })}>Remove</button>
    </div>
  );
}
