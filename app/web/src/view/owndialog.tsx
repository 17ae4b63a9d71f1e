// An item of one's own: a name, a picture from the device if there is one, and where it goes.
import { h, type JSX } from "preact";
import { useState } from "preact/hooks";
import { longest } from "../logic/own";
import { tierLabel } from "../logic/names";
import { act } from "../app/acts";
import { closeDialog } from "../app/keys";
import { addOwn, smallPicture } from "../app/own";
import { focusItem } from "../app/focus";
import type { State } from "../app/state";
import { toast } from "../app/toast";
import { Head, Sheet } from "./sheet";

export function OwnDialog({ s }: { s: State }): JSX.Element {
  const [name, setName] = useState("");
  const [picture, setPicture] = useState("");
  const [wrong, setWrong] = useState("");
  const read = (file: File | undefined): void => {
    setWrong("");
    if (file) void smallPicture(file).then(setPicture, (error: Error) => setWrong(error.message));
  };
  const put = (tier: string) => (): void => {
    if (!name.trim()) return setWrong("Give it a name first.");
    const { item, kept } = addOwn(name, picture);
    closeDialog();
    if (tier) act({ kind: "place", item, tier });
    if (!kept) toast("The picture could not be kept on this device.");
    focusItem(item);
  };
  return (
    <Sheet label="An item of your own" close={closeDialog}>
      <Head close={closeDialog} title="An item of your own" />
      <p class="bodyText">We know nothing of it, so it gets no guess and changes none. Its picture stays on this device; its name goes with the list.</p>
      <div class="ownForm">
        {picture ? <img class="ownPicture" src={picture} alt="" width="70" height="78" /> : <span class="ownPicture" aria-hidden="true" />}
        <div>
          <label>Name <input data-first="" maxLength={longest} dir="auto" value={name} onInput={(event) => setName(event.currentTarget.value)} /></label>
          <label>Picture <input type="file" accept="image/*" onChange={(event) => read(event.currentTarget.files?.[0])} /></label>
        </div>
      </div>
      {wrong && <p class="bodyText bad" role="alert">{wrong}</p>}
      <div class="choices">
        {s.list.tiers.map((tier) => {
          const { big, rest } = tierLabel(tier.name);
          return <button type="button" class="choice" key={tier.id} onClick={put(tier.id)}><span class={`letter fill-${tier.colour}`}>{big}</span><span class="rest">{rest || tier.name}</span></button>;
        })}
        <button type="button" class="choice plain" onClick={put("")}>Into the tray</button>
      </div>
    </Sheet>
  );
}
