// While something is held over a long board, or on a phone, all tiers come to the hand as one strip.
import { h, type JSX } from "preact";
import { youFirst } from "../logic/words";
import { plain, shortTier, tierLabel, titleOf } from "../logic/names";
import type { State } from "../app/state";

export function TierStrip({ s }: { s: State }): JSX.Element {
  const held = s.held!;
  const target = held.target;
  return (
    <div class="tierStrip" aria-hidden="true">
      <div class="stripTiers">
        {s.list.tiers.map((tier, row) => (
          <div key={tier.id} class={`fill-${tier.colour}${target?.kind === "tier" && target.tier === row ? " aimed" : ""}`} data-strip={row}>
            <b>{shortTier(tier.name)}</b>
            <span>{tierLabel(tier.name).rest}</span>
          </div>
        ))}
      </div>
      {held.blind && <p>{youFirst(plain(titleOf(s.items.get(held.item), held.item).title))}</p>}
    </div>
  );
}
