// Together: where two people differ and agree, one list of all, and what would please all of them.
import { Fragment, h, type JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { emptyList, placedCount, question } from "../logic/list";
import { plain, shortTier, titleOf } from "../logic/names";
import { percentText } from "../logic/odds";
import { agreed, asBoard, compare, differing, fewest, linkedList, type Comparison } from "../logic/together";
import { count } from "../logic/words";
import * as api from "../app/api";
import { listByLink, sortTheSame, startList } from "../app/lists";
import { opened } from "../app/focus";
import { things, type State } from "../app/state";
import { nameOf, store } from "../app/store";
import type { List } from "../types";
import { Thumb } from "./poster";
import { Tile } from "./tile";

interface Friend {
  id: string;
  list: List | null; // null: it cannot be read
}

const marks = ["Y", "F", "G", "H", "I", "J", "K", "L"]; // you, a friend, guests

export function Together({ s }: { s: State }): JSX.Element {
  const ids = s.route.page === "together" ? s.route.ids : [];
  const [friends, setFriends] = useState<Friend[]>([]);
  const [chosen, setChosen] = useState(0);
  const [answer, setAnswer] = useState<api.Group | null>(null);
  const [failed, setFailed] = useState("");
  const all = ids.join(",");
  useEffect(() => {
    let over = false;
    void Promise.all(ids.map(async (id): Promise<Friend> => ({ id, list: await listByLink(id).catch(() => null) }))).then((found) => over || setFriends(found));
    return () => {
      over = true;
    };
  }, [all]);
  const there = friends.filter((friend): friend is { id: string; list: List } => friend.list !== null);
  const lists = [s.list, ...there.map(({ list }) => list)];
  const asked = JSON.stringify(lists.map((list) => question(list).tiers));
  const enough = there.length > 0 && lists.every((list) => placedCount(list) > 0);
  useEffect(() => {
    setAnswer(null);
    setFailed("");
    if (!enough) return;
    let over = false;
    api.together(lists.map((list) => ({ tiers: question(list).tiers })), s.list.hidden).then((got) => over || setAnswer(got), () => over || setFailed("Couldn't put the lists together right now. Both are safe; open the page again in a moment."));
    return () => {
      over = true;
    };
  }, [asked, enough]);
  const friend = there[Math.min(chosen, there.length - 1)];
  const found = friend ? compare(s.list, friend.list) : null;
  return (
    <main class="together" id="main">
      <div class="togetherHead">
        <h1>Together</h1>
        <span class="person"><Mark n={0} /> You</span>
        {there.map(({ id, list }, k) => (
          <button key={id} type="button" class="person" aria-pressed={k === Math.min(chosen, there.length - 1)} onClick={() => setChosen(k)}><Mark n={k + 1} /> <span dir="auto">{list.title}</span></button>
        ))}
        <AddFriend ids={ids} />
      </div>
      {friends.some(({ list }) => !list) && <p class="caption" role="status">One of the lists doesn't exist, or its owner removed it.</p>}
      {!friend || !found ? (
        <section class="panel alone">
          <h2>Where do two people differ?</h2>
          <ol>
            <li>Share your list, and send the link to somebody who knows the same {things(s)}. <button type="button" class="outlined" disabled={placedCount(s.list) === 0} onClick={share}>Share my list</button></li>
            <li>They sort theirs, share it, and send you their link. Put it in above.</li>
            <li>Here you see where you differ and agree, one list of you both, and what would please you both.</li>
          </ol>
        </section>
      ) : (
        <div class="togetherBody">
          {found.shared.length < fewest ? (
            <section class="panel few">
              <h2>Too few to compare: {found.shared.length} of the same.</h2>
              <button type="button" class="filled" onClick={() => sortTheSame(friend.list)}>Sort the ones of {friend.list.title}</button>
            </section>
          ) : (
            <Fragment>
              <Summary s={s} found={found} name={friend.list.title} />
              <Differ s={s} found={found} mark={marks[Math.min(chosen, there.length - 1) + 1]} />
              <Agree s={s} found={found} />
            </Fragment>
          )}
          {failed && <p role="status">{failed}</p>}
          {answer && <Common s={s} lists={lists} answer={answer} />}
          {answer && answer.please.length > 0 && <Please s={s} answer={answer} />}
        </div>
      )}
    </main>
  );
}

function share(): void {
  opened();
  store.set({ dialog: { kind: "share" } });
}

/** Mark tells people apart by a letter and a shape: a disc is you, a ring a friend, a dashed ring a guest. */
const Mark = ({ n }: { n: number }): JSX.Element => <i class={`who who${Math.min(n, 2)}`} aria-hidden="true">{marks[n]}</i>;

function AddFriend({ ids }: { ids: string[] }): JSX.Element {
  const [wrong, setWrong] = useState(false);
  return (
    <form
      class="addFriend"
      onSubmit={(event) => {
        event.preventDefault();
        const field = event.currentTarget.querySelector("input")!;
        const id = linkedList(field.value);
        setWrong(id === "");
        if (!id) return;
        field.value = "";
        location.hash = `#/together/${[...new Set([...ids, id])].slice(-7).join(",")}`;
      }}
    >
      <input aria-label="Link of a shared list" placeholder="Link of a shared list" aria-invalid={wrong} />
      <button type="submit" class="outlined">Add</button>
      {wrong && <span class="caption" role="status">That is no link of a list: it ends in /list/ and 24 letters.</span>}
    </form>
  );
}

function Summary({ s, found, name }: { s: State; found: Comparison; name: string }): JSX.Element {
  const letters = s.list.tiers.map((tier) => shortTier(tier.name));
  const parts: [string, number, string][] = [["same", found.same, "same tier"], ["near", found.near, "one tier apart"], ["far", found.far, "further"]];
  return (
    <section class="panel summary">
      <h2>You and {name} placed {found.shared.length} of the same</h2>
      <p>{found.same} in the same tier. By chance it would be {Math.round(found.chance)}.</p>
      <div class="shares" role="img" aria-label={parts.map(([, n, words]) => `${words} ${n}`).join(", ")}>
        {parts.map(([kind, n]) => n > 0 && <b key={kind} class={kind} ref={(e) => { if (e) e.style.flexGrow = String(n); }}>{n}</b>)}
      </div>
      <p class="caption">{parts.map(([, n, words]) => `${words} ${n}`).join(" · ")}. Tiers are each person's own{found.scaled ? "; with different numbers of tiers they are compared by position" : ""}.</p>
      <details open={s.width === "wide"}>
        <summary>Table: yours down, theirs across</summary>
        <table class="tiersTable">
          <thead><tr><td />{letters.map((letter, k) => <th key={k} scope="col">{letter}</th>)}</tr></thead>
          <tbody>{found.table.map((row, r) => <tr key={r}><th scope="row">{letters[r]}</th>{row.map((n, c) => <td key={c} class={n === 0 ? "" : r === c ? "same" : Math.abs(r - c) === 1 ? "near" : "far"}>{n || "·"}</td>)}</tr>)}</tbody>
        </table>
      </details>
    </section>
  );
}

const shown = 6;

function Differ({ s, found, mark }: { s: State; found: Comparison; mark: string }): JSX.Element | null {
  const rows = differing(found.shared).slice(0, shown);
  if (rows.length === 0) return null;
  const tiers = s.list.tiers.length;
  const x = (t: number): number => ((t + 0.5) * 220) / tiers;
  return (
    <section class="panel differ">
      <header><h2>You differ most</h2><span class="caption">{marks[0]} you, {mark} they</span></header>
      <ul>
        {rows.map(({ item, mine, theirs }) => (
          <li key={item}>
            <Thumb item={s.items.get(item)} />
            <span><b dir="auto">{plain(nameOf(item))}</b> <span class="caption">{count(Math.abs(mine - theirs), "tier")} apart<span class="unseen">: you {shortTier(s.list.tiers[mine].name)}, they {shortTier(s.list.tiers[theirs].name)}</span></span></span>
            <svg viewBox="0 0 220 40" class="apart" aria-hidden="true">
              {s.list.tiers.map((tier, t) => (
                <Fragment key={tier.id}>
                  <rect class={`track mark-${tier.colour}`} x={(t * 220) / tiers + 1} y={24} width={220 / tiers - 2} height={3} rx={1.5} />
                  <text x={x(t)} y={38} text-anchor="middle">{shortTier(tier.name)}</text>
                </Fragment>
              ))}
              <line x1={x(mine)} x2={x(theirs)} y1={11} y2={11} />
              <circle class="you" cx={x(mine)} cy={11} r={10} /><text class="onInk" x={x(mine)} y={15} text-anchor="middle">{marks[0]}</text>
              <circle class="they" cx={x(theirs)} cy={11} r={10} /><text x={x(theirs)} y={15} text-anchor="middle">{mark}</text>
            </svg>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Agree({ s, found }: { s: State; found: Comparison }): JSX.Element | null {
  const rows = agreed(found.shared);
  if (rows.length === 0) return null;
  return (
    <section class="panel agree">
      <h2>You agree <span class="caption">{rows.length > 8 ? `8 of ${rows.length}` : ""}</span></h2>
      <ul>{rows.slice(0, 8).map(({ item, mine }) => <li key={item}><Tile item={item} known={s.items.get(item)} where={`both ${shortTier(s.list.tiers[mine].name)}`} tag={shortTier(s.list.tiers[mine].name)} colour={s.list.tiers[mine].colour} held={false} byKey={false} lit={false} mark={false} /></li>)}</ul>
    </section>
  );
}

/** Common is one list of all, in pencil on the scale of tiers, with what each said in ink. */
function Common({ s, lists, answer }: { s: State; lists: List[]; answer: api.Group }): JSX.Element {
  const last = s.list.tiers.length;
  const x = (at: number): number => 10 + ((at * (last - 1) + 0.5) * 200) / last;
  const make = (): void => {
    startList(asBoard(emptyList(), "Together", answer.common));
    location.hash = "#/";
  };
  return (
    <section class="panel common">
      <header><h2>{lists.length === 2 ? "Both" : `All ${lists.length}`}, one list</h2><button type="button" class="link" onClick={make}>Make it a board</button></header>
      <p class="caption"><span class="pencil">●</span> where the lists agree best, {Math.round(answer.level * 100)}% interval. Wide means: you don't agree, or few placed it.</p>
      <table>
        <thead><tr><th scope="col">Item</th><th scope="col"><svg viewBox="0 0 220 14" aria-hidden="true">{s.list.tiers.map((tier, t) => <text key={tier.id} x={10 + ((t + 0.5) * 200) / last} y={11} text-anchor="middle">{shortTier(tier.name)}</text>)}</svg><span class="unseen">Place</span></th>{lists.map((_, u) => <th key={u} scope="col">{marks[u]}</th>)}</tr></thead>
        <tbody>
          {answer.common.slice(0, 16).map(({ item, at, low, high, said }) => (
            <tr key={item}>
              <th scope="row" dir="auto">{plain(titleOf(s.items.get(item), item).title)}</th>
              <td><svg viewBox="0 0 220 14" role="img" aria-label={`${letterAt(s, at)}, from ${letterAt(s, low)} to ${letterAt(s, high)}`}><line class="interval" x1={x(low)} x2={x(high)} y1={7} y2={7} /><circle class="point" cx={x(at)} cy={7} r={4} /></svg></td>
              {said.map((tier, u) => <td key={u}><b class={tier < 0 ? "dash" : `fill-${lists[u].tiers[tier]?.colour ?? "stone"}`}>{tier < 0 ? "–" : shortTier(lists[u].tiers[tier]?.name ?? "")}</b></td>)}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const letterAt = (s: State, at: number): string => shortTier(s.list.tiers[Math.round(at * (s.list.tiers.length - 1))]?.name ?? "");

function Please({ s, answer }: { s: State; answer: api.Group }): JSX.Element {
  const second = shortTier(s.list.tiers[Math.min(1, s.list.tiers.length - 1)].name);
  return (
    <section class="panel please">
      <header><h2>Would please all of us</h2><span class="caption">odds of {second} or better · all</span></header>
      <p class="caption">All: everybody's odds multiplied, as if each of you chose alone. If your tastes are alike beyond what the lists show, the true odds are higher.</p>
      <ul>
        {answer.please.map(({ item, each, all }) => (
          <li key={item}>
            <Thumb item={s.items.get(item)} />
            <b dir="auto">{plain(nameOf(item))}</b>
            <span class="pencil">{each.map((p, u) => `${marks[u]} ${percentText(Math.round(p * 100))}`).join("  ")}</span>
            <b class="pencil">{percentText(Math.round(all * 100))}</b>
          </li>
        ))}
      </ul>
    </section>
  );
}
