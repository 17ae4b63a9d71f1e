// The switcher: every list of this device, and ways to begin another.
import { h, type JSX } from "preact";
import { emptyList } from "../logic/list";
import { count } from "../logic/words";
import { opened } from "../app/focus";
import { currentList, ownLists, removeList, startList, switchTo } from "../app/lists";
import { worldOf, type State } from "../app/state";
import { store } from "../app/store";
import { Icon } from "./icons";
import { Menu } from "./menu";
import { Worlds } from "./worlds";

export function ListMenu({ s }: { s: State }): JSX.Element {
  const close = (): void => store.set({ listMenu: false });
  const run = (what: () => void) => (): void => {
    close();
    what();
  };
  const toggle = (): void => {
    opened();
    store.set({ listMenu: !s.listMenu, fileMenu: false, tierMenu: "" });
  };
  const lists = s.listMenu ? ownLists() : [];
  return (
    <Menu label="Your lists" name="Your lists" small open={s.listMenu} toggle={toggle} close={close} face={<Icon name="down" />}>
      {lists.map((one) => (
        <button key={one.id} type="button" class="own-list" aria-current={one.id === currentList() ? "true" : undefined} onClick={run(() => switchTo(one.id))}>
          <span dir="auto">{one.title}</span>{" "}
          <span class="caption">{count(one.placed, "item")}{one.world && one.world !== worldOf(s) ? ` of ${one.world}` : ""}</span>
        </button>
      ))}
      <hr />
      <button type="button" onClick={run(() => store.set({ renaming: "title" }))}>Rename this list</button>
      <button type="button" onClick={run(() => startList(emptyList()))}>New list</button>
      <button type="button" onClick={run(() => startList(s.list))}>Copy this list</button>
      <button type="button" class="danger" onClick={run(removeList)}>Remove this list</button>
      <Worlds />
    </Menu>
  );
}
