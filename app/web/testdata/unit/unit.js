(() => {
  // logic/check.ts
  var tests = [];
  var test = (name, run) => void tests.push({ name, run });
  function equal(got, want, about = "") {
    const [a, b] = [JSON.stringify(got), JSON.stringify(want)];
    if (a !== b) throw new Error(`${about} got ${a}, want ${b}`);
  }
  function holds(truth, about) {
    if (!truth) throw new Error(about);
  }
  async function fails(run, words) {
    try {
      await run();
    } catch (error) {
      holds(error.message.includes(words), `the error is "${error.message}", without "${words}"`);
      return;
    }
    throw new Error(`no error, want one with "${words}"`);
  }
  async function runAll() {
    const results = [];
    for (const { name, run } of tests) {
      let error = "";
      try {
        await run();
      } catch (e) {
        error = String(e.stack ?? e);
      }
      results.push({ name, error });
    }
    return results;
  }
  function dice(seed) {
    let state = seed >>> 0 || 1;
    return () => {
      state ^= state << 13;
      state ^= state >>> 17;
      state ^= state << 5;
      return (state >>> 0) / 2 ** 32;
    };
  }

  // logic/odds.ts
  function shareOut(weights, total) {
    const sum3 = weights.reduce((a, b) => a + b, 0);
    if (!(sum3 > 0)) return weights.map(() => 0);
    const exact = weights.map((w) => w / sum3 * total);
    const shares2 = exact.map(Math.floor);
    const order2 = exact.map((_, i) => i).sort((a, b) => exact[b] - shares2[b] - (exact[a] - shares2[a]) || a - b);
    const left = total - shares2.reduce((a, b) => a + b, 0);
    for (let i = 0; i < left; i++) shares2[order2[i]]++;
    return shares2;
  }
  function placesOf(guess2, used) {
    const tiers = guess2.tier_probs ?? [];
    const gaps = guess2.gap_probs ?? [];
    if (tiers.length === 0 || tiers.length !== used.length || gaps.length !== tiers.length + 1) return [];
    const places = [];
    for (let i = 0; i <= tiers.length; i++) {
      places.push({ kind: "gap", above: i > 0 ? used[i - 1] : -1, below: i < used.length ? used[i] : -1, p: gaps[i] });
      if (i < tiers.length) places.push({ kind: "tier", above: used[i], below: used[i], p: tiers[i] });
    }
    return places;
  }
  var percentsOf = (places) => shareOut(places.map((place) => place.p), 100);
  var dotsOf = (places) => shareOut(places.map((place) => place.p), 20);
  function percentText(percent) {
    return percent <= 0 ? "<1%" : percent >= 100 ? ">99%" : `${percent}%`;
  }
  function likeliest(places) {
    let best = -1;
    places.forEach((place, i) => {
      if (best < 0 || place.p > places[best].p) best = i;
    });
    return best;
  }
  function placeOnBoard(places, tier, between) {
    return places.findIndex(
      (place) => place.kind === "tier" ? !between && place.above === tier : between ? place.above < tier && (place.below < 0 || place.below >= tier) : place.above < tier && (place.below < 0 || place.below > tier)
    );
  }
  function phrase(percent) {
    if (percent >= 90) return "Almost sure.";
    if (percent >= 70) return "Likely.";
    if (percent >= 55) return "More likely than not.";
    if (percent >= 45) return "About as likely as not.";
    if (percent >= 30) return "Best of several guesses.";
    return "Hardly more than a guess.";
  }

  // logic/own.ts
  var mark = "own:";
  var isOwn = (item) => item.startsWith(mark);
  var ownName = (item) => item.slice(mark.length);

  // logic/names.ts
  var plain = (name) => name.replaceAll("­", "");
  function dated(name) {
    const found = /^(.*\S)\s*\((\d{4})\)$/s.exec(name);
    if (!found) return { title: name, year: "" };
    const bare = found[1].replace(/\s*\([^()]*\)$/, "").replace(/\s*\([^()]*\)$/, "") || found[1];
    return { title: turned(bare), year: found[2] };
  }
  function turned(title) {
    const found = /^(.+), (The|A|An|La|Le|Les|L'|Il|Lo|Gli|I|El|Los|Las|Un|Una|Une|Der|Die|Das|Ein|Eine|De|Het|En|Den|Det|À|O|Os|As)$/.exec(title);
    return found ? `${found[2]}${found[2].endsWith("'") ? "" : " "}${found[1]}` : title;
  }
  function soft(title) {
    if (title.includes("­")) return title;
    const halved = (word) => word.slice(0, Math.ceil(word.length * 0.6)) + "­" + word.slice(Math.ceil(word.length * 0.6));
    return title.replace(/\p{L}{7,}/gu, (word) => {
      if (word.length < 10) return once(word) || (word.length < 9 ? word : halved(word));
      const broken = word.replace(/(?<=\p{L}{2}[aeiouyäöüáéíóúèà])([b-df-hj-np-tv-z]??)(?=(?:[tscp]h|[bcdfgkp][lr]|[b-dfgj-np-tv-z])[aeiouyäöüáéíóúèà]\p{L})/giu, "$1­");
      return broken === word ? halved(word) : broken;
    });
  }
  function once(word) {
    let [at, best] = [0, -9];
    for (let i = 3; i <= word.length - 3; i++) {
      const pair = word.slice(i - 1, i + 1);
      if (!/^[b-df-hj-np-tv-z][aeiouy]/i.test(word.slice(i)) || /^([tscp]h|[bcdfgkpt][lr])$/i.test(pair)) continue;
      const worth = (/^[aeiouy]/i.test(pair) ? 0 : 2) - Math.abs(i - word.length / 2);
      if (worth > best) [at, best] = [i, worth];
    }
    return at ? `${word.slice(0, at)}­${word.slice(at)}` : "";
  }
  function parted(title) {
    const tail = /[^\d\s] +(?=([IVX]{1,4}|\d{1,2})$)/.exec(title);
    return tail && tail.index > 8 ? [title.slice(0, tail.index + 1), title.slice(tail.index + 1)] : [title, ""];
  }
  function titleOf(item, id) {
    const name = item?.name ?? (isOwn(id) ? ownName(id) : id);
    if (item?.emoji) return { title: name, year: "" };
    const { title, year } = dated(name);
    return { title: year ? title : turned(title), year: year || (item?.year ? String(item.year) : "") };
  }
  var segmenter = typeof Intl.Segmenter === "function" ? new Intl.Segmenter() : null;
  var graphemes = (text) => segmenter ? Array.from(segmenter.segment(text), (s) => s.segment) : Array.from(text);
  function tierLabel(name) {
    const trimmed = name.trim();
    const [first = "", ...others] = trimmed.split(/\s+/);
    if (first !== "" && (first.length <= 3 || graphemes(first).length <= 3)) return { big: first, rest: others.join(" ") };
    return { big: "", rest: trimmed };
  }
  function shortTier(name) {
    const { big, rest } = tierLabel(name);
    return big || graphemes(rest).slice(0, 2).join("") || "?";
  }
  function spokenTier(name) {
    const { big, rest } = tierLabel(name);
    return big && rest ? `${big}, ${rest}` : big || rest || "no name";
  }
  function placeWords(place, tiers) {
    const short = (i) => shortTier(tiers[i]?.name ?? "");
    if (place.kind === "tier") return short(place.above);
    if (place.above < 0) return `above ${short(place.below)}`;
    if (place.below < 0) return `below ${short(place.above)}`;
    return `between ${short(place.above)} and ${short(place.below)}`;
  }
  function placeTag(place, tiers) {
    const short = (i) => shortTier(tiers[i]?.name ?? "");
    if (place.kind === "tier") return short(place.above);
    if (place.above < 0) return `↑${short(place.below)}`;
    if (place.below < 0) return `↓${short(place.above)}`;
    return `${short(place.above)}/${short(place.below)}`;
  }

  // logic/lanes.ts
  var least = 0.25;
  var most = 3;
  function lanesOf(tiers, advice, mute) {
    const used = advice && !advice.general ? advice.tiers_used : [];
    const lanes = [];
    for (let row3 = 0; row3 < tiers.length; row3++) {
      const last = lanes.at(-1);
      if (used.includes(row3)) lanes.push({ from: row3, to: row3, heading: "", ghosts: [], others: [], most: 0 });
      else if (last && !used.includes(last.to)) last.to = row3;
      else lanes.push({ from: row3, to: row3, heading: "", ghosts: [], others: [], most: 0 });
    }
    if (!advice || used.length === 0) return lanes;
    for (const lane of lanes) {
      if (used.includes(lane.from)) continue;
      const above = used.filter((t) => t < lane.from).at(-1) ?? -1;
      const below = used.find((t) => t > lane.to) ?? -1;
      lane.heading = placeWords({ kind: "gap", above, below, p: 0 }, tiers);
    }
    const placed = new Set(tiers.flatMap((tier) => tier.items));
    const found = [];
    for (const guess2 of advice.items) {
      if (placed.has(guess2.item) || mute.has(guess2.item)) continue;
      const places = placesOf(guess2, used);
      const best = likeliest(places);
      if (best < 0) continue;
      const place = places[best];
      const lane = lanes.find(
        (l) => place.kind === "tier" ? l.from === place.above : l.heading !== "" && l.from > place.above && (place.below < 0 || l.to < place.below)
      );
      if (lane) found.push({ lane, p: place.p, ghost: { item: guess2.item, percent: percentsOf(places)[best], tag: placeWords(place, tiers) } });
    }
    found.sort((a, b) => b.p - a.p);
    for (const { lane, ghost, p } of found) {
      lane.most = Math.max(lane.most, p);
      if (p >= least && lane.ghosts.length < most) lane.ghosts.push(ghost);
      else lane.others.push(ghost.item);
    }
    return lanes;
  }

  // types.ts
  var palette = ["beet", "tomato", "apricot", "sage", "stone", "teal", "plum", "cocoa"];

  // logic/list.ts
  var longestName = 100;
  var longestTitle = 200;
  var cut = (text, most3) => [...text.slice(0, 2 * most3)].slice(0, most3).join("");
  function emptyList() {
    const tier = (id, name, colour) => ({ id, name, colour, items: [] });
    return {
      title: "My tier list",
      tiers: [
        tier("t1", "S Favourites", "beet"),
        tier("t2", "A Great", "tomato"),
        tier("t3", "B Good", "apricot"),
        tier("t4", "C So-so", "sage"),
        tier("t5", "D Not for me", "stone")
      ],
      never: [],
      hidden: []
    };
  }
  function without(list, item) {
    const drop = (ids) => ids.includes(item) ? ids.filter((id) => id !== item) : ids;
    return {
      ...list,
      tiers: list.tiers.map((tier) => tier.items.includes(item) ? { ...tier, items: drop(tier.items) } : tier),
      never: drop(list.never),
      hidden: drop(list.hidden)
    };
  }
  var letters = [..."SABCDEFGHIJKLMNOPQRTUVWXYZ"];
  function letterAt(tiers, before) {
    const names = tiers.map((tier) => tier.name.trim().split(/\s+/)[0]);
    const free = (name) => !names.includes(name);
    const below = names[before];
    if (below === void 0) return letters.slice(letters.indexOf(names.at(-1) ?? "") + 1).find(free) ?? letters.find(free) ?? "New";
    if (/^[A-Z]\+?$/.test(below)) return free(`${below}+`) ? `${below}+` : "New";
    return letters.find(free) ?? "New";
  }
  function newTier(tiers, before) {
    const ids = tiers.map((tier) => Number(tier.id.slice(1)) || 0);
    const uses = (colour2) => tiers.filter((tier) => tier.colour === colour2).length;
    const colour = [...palette].sort((a, b) => uses(a) - uses(b))[0];
    return { id: `t${Math.max(0, ...ids) + 1}`, name: letterAt(tiers, before), colour, items: [] };
  }
  var insert = (array, at, value) => [...array.slice(0, at), value, ...array.slice(at)];
  function perform(list, act) {
    const mapTier = (id, change) => ({
      ...list,
      tiers: list.tiers.map((tier) => tier.id === id ? change(tier) : tier)
    });
    const index = "tier" in act ? list.tiers.findIndex((tier) => tier.id === act.tier) : -1;
    if ("tier" in act && index < 0) return list;
    switch (act.kind) {
      case "place": {
        const bare = without(list, act.item);
        const at = Math.min(act.at ?? Infinity, bare.tiers[index].items.length);
        const next = {
          ...bare,
          tiers: bare.tiers.map((tier, i) => i === index ? { ...tier, items: insert(tier.items, at, act.item) } : tier)
        };
        return sameList(next, list) ? list : next;
      }
      case "between": {
        const bare = without(list, act.item);
        const fresh = { ...newTier(list.tiers, act.before), items: [act.item] };
        return { ...bare, tiers: insert(bare.tiers, act.before, fresh) };
      }
      case "tray": {
        const next = without(list, act.item);
        return sameList(next, list) ? list : next;
      }
      case "never":
      case "hide": {
        const key = act.kind === "never" ? "never" : "hidden";
        if (list[key].includes(act.item)) return list;
        const bare = without(list, act.item);
        return { ...bare, [key]: [...bare[key], act.item] };
      }
      case "unhide":
        return without(list, act.item);
      case "want":
        return list.want?.includes(act.item) ? list : { ...list, want: [...list.want ?? [], act.item] };
      case "unwant":
        return list.want?.includes(act.item) ? { ...list, want: list.want.filter((item) => item !== act.item) } : list;
      case "addTier":
        return { ...list, tiers: insert(list.tiers, act.before, newTier(list.tiers, act.before)) };
      case "rename":
        return list.tiers[index].name === act.name ? list : mapTier(act.tier, (tier) => ({ ...tier, name: act.name }));
      case "colour":
        return list.tiers[index].colour === act.colour ? list : mapTier(act.tier, (tier) => ({ ...tier, colour: act.colour }));
      case "moveTier": {
        const to = index + act.by;
        if (to < 0 || to >= list.tiers.length) return list;
        const rest = list.tiers.filter((_, i) => i !== index);
        return { ...list, tiers: insert(rest, to, list.tiers[index]) };
      }
      case "emptyTier":
        return list.tiers[index].items.length === 0 ? list : mapTier(act.tier, (tier) => ({ ...tier, items: [] }));
      case "removeTier":
        return list.tiers.length === 1 ? list : { ...list, tiers: list.tiers.filter((_, i) => i !== index) };
      case "title":
        return list.title === act.title ? list : { ...list, title: act.title };
      case "clear":
        return placedCount(list) === 0 ? list : { ...list, tiers: list.tiers.map((tier) => ({ ...tier, items: [] })) };
      case "replace":
        return act.list;
    }
  }
  function isList(value) {
    const texts = (x) => Array.isArray(x) && x.every((id) => typeof id === "string");
    const list = value;
    return typeof list === "object" && list !== null && typeof list.title === "string" && texts(list.never) && texts(list.hidden) && (list.want === void 0 || texts(list.want)) && Array.isArray(list.tiers) && list.tiers.length > 0 && list.tiers.every((tier) => typeof tier?.id === "string" && typeof tier.name === "string" && palette.includes(tier.colour) && texts(tier.items));
  }
  var sameList = (a, b) => JSON.stringify(a) === JSON.stringify(b);
  var placedCount = (list) => list.tiers.reduce((n, tier) => n + tier.items.length, 0);
  var tierOf = (list, item) => list.tiers.findIndex((tier) => tier.items.includes(item));
  function question(list) {
    return { tiers: list.tiers.map((tier) => tier.items.filter((item) => !isOwn(item)).sort()), exclude: [...list.hidden].sort() };
  }
  function merged(list, read) {
    const tiers = [...list.tiers];
    const byName = /* @__PURE__ */ new Map();
    tiers.forEach((tier, i) => byName.has(tier.name.trim()) || byName.set(tier.name.trim(), i));
    const goes = /* @__PURE__ */ new Map();
    for (const { name, items } of read.tiers) {
      let to = byName.get(name.trim());
      if (to === void 0) {
        to = tiers.length;
        tiers.push({ ...newTier(tiers, tiers.length), name });
        byName.set(name.trim(), to);
      }
      for (const item of items) {
        goes.delete(item);
        goes.set(item, to);
      }
    }
    const stays = (items) => items.filter((item) => !goes.has(item));
    const joined = tiers.map((tier) => ({ ...tier, items: stays(tier.items) }));
    for (const [item, to] of goes) joined[to].items.push(item);
    return { ...list, tiers: joined, never: stays(list.never), hidden: stays(list.hidden) };
  }

  // logic/record.ts
  var kept = 500;
  function summary(entries) {
    return {
      right: entries.filter((entry) => entry.right).length,
      of: entries.length,
      expected: entries.reduce((sum3, entry) => sum3 + entry.p, 0)
    };
  }
  function note(entries, entry) {
    return [...entries.filter((old) => old.item !== entry.item), entry].slice(-kept);
  }

  // logic/words.ts
  var digits = new Intl.NumberFormat("en-GB");
  var withCommas = (n) => digits.format(n);
  var count = (n, one, many = `${one}s`) => `${withCommas(n)} ${n === 1 ? one : many}`;
  function actWords(before, after, act, nameOf) {
    const named = "item" in act ? plain(nameOf(act.item)) : "";
    const from = "item" in act ? tierOf(before, act.item) : -1;
    const home = from >= 0 ? shortTier(before.tiers[from].name) : "the tray";
    const tier = "tier" in act ? before.tiers.find((t) => t.id === act.tier) : void 0;
    const short = tier ? shortTier(tier.name) : "";
    const items = (n) => `${count(n, "item")} in the tray`;
    const own2 = (label) => ({ label, back: label.charAt(0).toLowerCase() + label.slice(1) });
    switch (act.kind) {
      case "place":
        return { label: `${named} dropped in ${short}`, back: `${named} back in ${home}` };
      case "between":
        return { label: `${named} dropped in a new tier`, back: `${named} back in ${home}` };
      case "tray":
        return { label: `${named} back in the tray`, back: `${named} back in ${home}` };
      case "never":
        return { label: `${named} set aside as never tried`, back: `${named} back in ${home}` };
      case "hide":
        return { label: `${named} hidden`, back: `${named} back in ${home}` };
      case "unhide":
        return { label: `${named} shown again`, back: `${named} hidden` };
      case "want":
        return { label: `${named} on the want-to-try list`, back: `${named} off the want-to-try list` };
      case "unwant":
        return { label: `${named} off the want-to-try list`, back: `${named} on the want-to-try list` };
      case "addTier":
        return own2(`Tier ${shortTier(after.tiers[act.before].name)} added`);
      case "rename":
        return { label: `Tier renamed ${spokenTier(act.name)}`, back: `tier named ${spokenTier(tier?.name ?? "")}` };
      case "colour":
        return own2(`Colour of ${short} changed`);
      case "moveTier":
        return own2(`Tier ${short} moved ${act.by < 0 ? "up" : "down"}`);
      case "emptyTier":
        return own2(`Tier ${short} emptied, ${items(tier?.items.length ?? 0)}`);
      case "removeTier":
        return own2(`Tier ${short} removed, ${items(tier?.items.length ?? 0)}`);
      case "title":
        return { label: "List renamed", back: `list named ${before.title}` };
      case "clear":
        return own2(`List cleared, ${items(placedCount(before))}`);
      case "replace":
        return own2(act.why);
    }
  }
  function overGap(list, before) {
    const short = (i) => shortTier(list.tiers[i].name);
    if (before === 0) return `New tier above ${short(0)}.`;
    if (before === list.tiers.length) return `New tier below ${short(before - 1)}.`;
    return `New tier between ${short(before - 1)} and ${short(before)}.`;
  }
  function signed(value) {
    const text = Math.abs(value).toFixed(2);
    return text === "0.00" ? "0.00" : (value < 0 ? "−" : "+") + text;
  }
  var signedPercent = (share) => `${share < 0 ? "−" : ""}${Math.abs(share)}%`;
  function seconds(time) {
    if (time < 60) return `${time < 9.95 && !Number.isInteger(time) ? time.toFixed(1) : Math.round(time)} s`;
    const rounded = Math.round(time);
    return `${Math.floor(rounded / 60)} min${rounded % 60 ? ` ${rounded % 60} s` : ""}`;
  }
  var listed = (parts) => parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;

  // logic/why.ts
  var own = 4;
  var ownOfPick = 3;
  var largestFirst = (parts) => [...parts].sort((a, b) => Math.abs(b.part) - Math.abs(a.part) || (a.item < b.item ? -1 : 1));
  var sum = (rows) => rows.reduce((total, row3) => total + row3.hundredths, 0);
  function rowOf({ item }, hundredths, list, nameOf) {
    const tier = list.tiers.find((t) => t.items.includes(item));
    const where = tier ? ` in ${shortTier(tier.name)}` : "";
    return { key: item, item, text: `⁨${plain(nameOf(item))}⁩${where}`, hundredths };
  }
  var restOf = (n, hundredths) => ({ key: " rest", item: "", text: count(n, "other placement"), hundredths });
  function whyRows(e, list, nameOf) {
    const whole2 = (x) => Math.round(x * 100);
    const score = whole2(e.sum);
    const rows = largestFirst(e.parts).slice(0, own).map((part) => rowOf(part, whole2(part.part), list, nameOf));
    const base = { key: " base", item: "", text: "What most people think", hundredths: whole2(e.base) };
    const ties = { key: " ties", item: "", text: "How you tie things", hundredths: whole2(e.ties) };
    const tail = ties.hundredths === 0 ? [base] : [ties, base];
    const rest = e.parts.length - rows.length;
    const left = score - sum([...rows, ...tail]);
    if (rest > 0) rows.push(restOf(rest, left));
    else base.hundredths += left;
    return { rows: [...rows, ...tail], score };
  }
  function pickRows(parts, list, nameOf) {
    const total = parts.reduce((all, { part }) => all + part, 0);
    if (!(total > 0)) return [];
    const percent = (x) => Math.round(x / total * 100);
    const shown = largestFirst(parts).slice(0, ownOfPick).filter(({ part }) => percent(part) !== 0);
    if (shown.length === 0) return [];
    const rows = shown.map((part) => rowOf(part, percent(part.part), list, nameOf));
    const others = total - shown.reduce((all, { part }) => all + part, 0);
    if (parts.length > rows.length) rows.push(restOf(parts.length - rows.length, percent(others)));
    rows[0].hundredths += 100 - sum(rows);
    return rows;
  }

  // logic/odds.test.ts
  var sum2 = (values) => values.reduce((a, b) => a + b, 0);
  var guess = (tiers, gaps, item = "x") => ({ rank: 1, item, name: item, score: 0, tier: 1, tier_probs: tiers, gap_probs: gaps });
  function randomGuess(roll, tiers) {
    const raw = Array.from({ length: 2 * tiers + 1 }, () => roll() < 0.2 ? 0 : Math.exp(6 * roll()));
    const total = sum2(raw) || 1;
    const p = raw.map((x) => x / total);
    return guess(p.filter((_, i) => i % 2 === 1), p.filter((_, i) => i % 2 === 0));
  }
  test("dots are 20 and percents sum to 100 for any answer", () => {
    const roll = dice(7);
    for (let i = 0; i < 2e3; i++) {
      const tiers = 1 + Math.floor(roll() * 9);
      const g = randomGuess(roll, tiers);
      const places = placesOf(g, Array.from({ length: tiers }, (_, k) => k));
      if (sum2(places.map((p) => p.p)) === 0) continue;
      equal(sum2(dotsOf(places)), 20, `dots of ${JSON.stringify(g)}`);
      equal(sum2(percentsOf(places)), 100, `percents of ${JSON.stringify(g)}`);
      holds(dotsOf(places).every((d, k) => Math.abs(d - places[k].p * 20) < 1), "a dot is more than one away from its share");
    }
  });
  test("largest remainder: equal remainders go to the first", () => {
    equal(shareOut([1, 1, 1], 100), [34, 33, 33]);
    equal(shareOut([0.49, 0.24, 0.15, 0.12], 20), [10, 5, 3, 2]);
    equal(shareOut([0, 0], 20), [0, 0]);
    equal(shareOut([], 20), []);
  });
  test("no odds are shown that the server did not send", () => {
    equal(placesOf(guess([], []), []), []);
    equal(placesOf({ ...guess([], []), tier_probs: null, gap_probs: null }, [0]), []);
    equal(placesOf(guess([0.5, 0.5], [0]), [0, 1]), [], "too few gaps");
    equal(placesOf(guess([1], [0, 0]), [0, 1]), [], "fewer odds than tiers");
  });
  test("percents never claim certainty", () => {
    equal([0, 1, 50, 99, 100].map(percentText), ["<1%", "1%", "50%", "99%", ">99%"]);
  });
  test("odds in words", () => {
    const words = [[90, "Almost sure."], [89, "Likely."], [70, "Likely."], [69, "More likely than not."], [55, "More likely than not."], [54, "About as likely as not."], [45, "About as likely as not."], [44, "Best of several guesses."], [30, "Best of several guesses."], [29, "Hardly more than a guess."]];
    for (const [percent, want] of words) equal(phrase(percent), want, String(percent));
  });
  test("places follow tiers_used and are named by the board", () => {
    const list = emptyList();
    const places = placesOf(guess([0.2, 0.5], [0.1, 0.1, 0.1]), [0, 2]);
    equal(places.map((place) => placeWords(place, list.tiers)), ["above S", "S", "between S and B", "B", "below B"]);
    equal(places.map((place) => placeTag(place, list.tiers)), ["↑S", "S", "S/B", "B", "↓B"]);
    equal(likeliest(places), 3);
    equal([0, 1, 2, 3].map((tier) => placeOnBoard(places, tier, false)), [1, 2, 3, 4], "an empty tier lies in its gap");
    equal([0, 1, 2, 3, 5].map((before) => placeOnBoard(places, before, true)), [0, 2, 2, 4, 4], "a new tier lies in its gap");
  });
  test("lanes: best place, at least 30%, three at most, empty tiers share", () => {
    let list = emptyList();
    for (const [item, tier] of [["a", "t1"], ["b", "t2"]]) list = perform(list, { kind: "place", item, tier });
    const items = [
      guess([0.6, 0.2], [0.05, 0.05, 0.1], "s1"),
      guess([0.7, 0.1], [0.05, 0.05, 0.1], "s2"),
      guess([0.5, 0.3], [0.05, 0.05, 0.1], "s3"),
      guess([0.4, 0.3], [0.1, 0.1, 0.1], "s4"),
      guess([0.25, 0.2], [0.15, 0.2, 0.2], "weak"),
      guess([0.1, 0.1], [0.05, 0.05, 0.7], "low"),
      guess([0.1, 0.1], [0.05, 0.7, 0.05], "middle"),
      guess([0.9, 0.1], [0, 0, 0], "a")
    ];
    const advice = { items, tiers_used: [0, 1], unknown: [], general: false, model: "m" };
    const lanes = lanesOf(list.tiers, advice, /* @__PURE__ */ new Set(["s2"]));
    equal(lanes.map((lane) => [lane.from, lane.to, lane.heading, lane.ghosts.map((g) => g.item)]), [[0, 0, "", ["s1", "s3", "s4"]], [1, 1, "", []], [2, 4, "below A", ["low"]]]);
    equal(lanesOf(list.tiers, { ...advice, general: true, tiers_used: [] }, /* @__PURE__ */ new Set()).map((lane) => [lane.from, lane.to]), [[0, 4]]);
  });
  test("the rows of the why card add up to its score", () => {
    const roll = dice(3);
    for (let i = 0; i < 500; i++) {
      const parts = Array.from({ length: Math.floor(roll() * 30) }, (_, k) => ({ item: `i${k}`, name: `i${k}`, tier: 1, part: roll() * 2 - 1 }));
      const base = roll() - 0.5;
      const ties = i % 2 ? 0 : roll() - 0.5;
      const total = base + ties + sum2(parts.map((part) => part.part));
      const e = { item: "x", name: "x", score: total, base, ties, parts, sum: total, approximate: false };
      const { rows, score } = whyRows(e, emptyList(), (item) => item);
      equal(sum2(rows.map((row3) => row3.hundredths)), score);
      holds(Math.abs(score / 100 - total) <= 5e-3 + 1e-9, `the score ${total} is printed as ${score / 100}`);
      const shown = rows.filter((row3) => row3.item);
      holds(shown.length === Math.min(4, parts.length), "four largest");
      const other = rows.find((row3) => row3.key === " rest");
      const rest = total - base - ties - sum2(shown.map((row3) => parts.find((p) => p.item === row3.item).part));
      holds(!other || Math.abs(other.hundredths / 100 - rest) < 0.04, "the others take up more than rounding");
    }
  });
  test("what speaks for a pick adds up to 100 percent", () => {
    const roll = dice(4);
    let told = 0;
    for (let i = 0; i < 500; i++) {
      const parts = Array.from({ length: Math.floor(roll() * 30) }, (_, k) => ({ item: `i${k}`, name: `i${k}`, tier: 1, part: (roll() - 0.2) / 10 }));
      const total = sum2(parts.map((part) => part.part));
      const rows = pickRows(parts, emptyList(), (item) => item);
      if (!(total > 0)) {
        equal(rows, [], "nothing speaks for it");
        continue;
      }
      told++;
      equal(sum2(rows.map((row3) => row3.hundredths)), 100, "percents");
      for (const row3 of rows.filter(({ item }) => item)) {
        const share = parts.find((part) => part.item === row3.item).part / total * 100;
        holds(Math.abs(row3.hundredths - share) <= (row3 === rows[0] ? 2.5 : 0.5) + 1e-9, `${row3.item} has ${row3.hundredths} of ${share}`);
        holds(parts.filter((part) => Math.abs(part.part) > Math.abs(share * total) / 100 + 1e-9).length < 3, "the three largest");
      }
      const named = rows.filter(({ item }) => item).length;
      equal(rows.find(({ key }) => key === " rest")?.text, parts.length > named ? `${parts.length - named} other placement${parts.length - named === 1 ? "" : "s"}` : void 0);
    }
    holds(told > 400, `only ${told} cases have a reason`);
    equal(pickRows([{ item: "a", name: "a", tier: 1, part: 0.03 }, { item: "b", name: "b", tier: 2, part: -0.01 }], emptyList(), (item) => item).map((row3) => signedPercent(row3.hundredths)), ["150%", "−50%"]);
    equal(pickRows(Array.from({ length: 300 }, (_, k) => ({ item: `i${k}`, name: "", tier: 1, part: 0.01 })), emptyList(), (item) => item), [], "no placement by itself");
  });
  test("signed numbers have a real minus", () => equal([0.624, -0.12, 1e-3, -1e-3, 1.06].map(signed), ["+0.62", "−0.12", "0.00", "0.00", "+1.06"]));
  test("tier names: a short first word is the letter", () => {
    equal(tierLabel("S Every day"), { big: "S", rest: "Every day" });
    equal(tierLabel("Favourites of mine"), { big: "", rest: "Favourites of mine" });
    equal(tierLabel("👩‍👩‍👧 Family"), { big: "👩‍👩‍👧", rest: "Family" });
    equal([shortTier("S Every day"), shortTier("Favourites"), shortTier("  ")], ["S", "Fa", "?"]);
    equal([spokenTier("S Every day"), spokenTier("Top")], ["S, Every day", "Top"]);
  });
  test("the record counts an item once and sums what was expected", () => {
    const entry = (item, p, right) => ({ item, name: item, put: "A", said: "A", p, right });
    let record = note(note([], entry("a", 0.5, true)), entry("b", 0.4, false));
    equal(summary(record), { right: 1, of: 2, expected: 0.9 });
    record = note(record, entry("a", 0.6, false));
    equal(record.map((e) => e.item), ["b", "a"]);
  });

  // logic/halves.ts
  var point = 0.01;
  function halvesOf(bins) {
    return [pool(bins.filter((bin2) => bin2.p < 0.5)), pool(bins.filter((bin2) => bin2.p >= 0.5))];
  }
  function pool(bins) {
    const count2 = bins.reduce((n, bin2) => n + bin2.count, 0);
    if (count2 === 0) return null;
    const mean = (of) => bins.reduce((sum3, bin2) => sum3 + of(bin2) * bin2.count, 0) / count2;
    const said = mean((bin2) => bin2.p);
    const observed = mean((bin2) => bin2.observed);
    const off = said - observed;
    const chance = 1.96 * Math.sqrt(mean((bin2) => bin2.p * (1 - bin2.p)) / count2);
    const verdict = Math.abs(off) < point ? "fits" : Math.abs(off) <= chance ? "few" : off > 0 ? "high" : "low";
    return { count: count2, said, observed, verdict };
  }
  function halfWords(name, { count: count2, said, observed, verdict }) {
    const percent = (p) => `${Math.round(p * 100)}%`;
    const points = Math.abs(Math.round(said * 100) - Math.round(observed * 100));
    const off = `${points} point${points === 1 ? "" : "s"}`;
    const end = { fits: "that fits", high: `too high by ${off}`, low: `too low by ${off}`, few: `${off} apart, which may be chance` }[verdict];
    return `${name} we said ${percent(said)} on average and it happened ${percent(observed)} of the time, over ${count2.toLocaleString("en-GB")}: ${end}.`;
  }

  // logic/halves.test.ts
  var bin = (p, observed, count2) => ({ p, observed, low: 0, high: 1, count: count2 });
  test("calibration in words pools what lies below one half and above it", () => {
    const [low, high] = halvesOf([bin(0.05, 0.05, 900), bin(0.25, 0.27, 100), bin(0.55, 0.52, 300), bin(0.85, 0.71, 100)]);
    equal(low && [low.count, low.said.toFixed(4), low.observed.toFixed(4), low.verdict], [1e3, "0.0700", "0.0720", "fits"]);
    equal(high && [high.count, high.said.toFixed(4), high.observed.toFixed(4), high.verdict], [400, "0.6250", "0.5675", "high"]);
    equal(halfWords("From 50% up", high), "From 50% up we said 63% on average and it happened 57% of the time, over 400: too high by 6 points.");
    equal(halfWords("Below 50%", low), "Below 50% we said 7% on average and it happened 7% of the time, over 1,000: that fits.");
  });
  test("a difference that chance makes is no verdict, and nothing is said of a side without predictions", () => {
    const [low, high] = halvesOf([bin(0.6, 0.55, 40)]);
    equal(low, null);
    equal(high?.verdict, "few");
    equal(halvesOf([bin(0.6, 0.66, 4e3)])[1]?.verdict, "low");
    equal(halvesOf([]), [null, null]);
  });

  // logic/fold.ts
  function fold(text) {
    return text.normalize("NFKD").replace(/[\p{M}\u00ad]/gu, "").toLowerCase().replaceAll("ß", "ss").replaceAll("ø", "o").replaceAll("ł", "l").replaceAll("æ", "ae").replaceAll("œ", "oe").replace(/\s+/g, " ").trim();
  }
  function matches(name, query) {
    const folded = fold(name);
    return fold(query).split(" ").every((word) => folded.includes(word));
  }

  // logic/history.ts
  var depth = 200;
  var noHistory = { past: [], future: [] };
  function remember(history, before, label, back) {
    return { past: [...history.past, { list: before, label, back }].slice(-depth), future: [] };
  }
  function undo(history, now) {
    const step = history.past.at(-1);
    if (!step) return null;
    return {
      history: { past: history.past.slice(0, -1), future: [...history.future, { ...step, list: now }] },
      list: step.list,
      step
    };
  }
  function redo(history, now) {
    const step = history.future.at(-1);
    if (!step) return null;
    return {
      history: { past: [...history.past, { ...step, list: now }].slice(-depth), future: history.future.slice(0, -1) },
      list: step.list,
      step
    };
  }

  // logic/list.test.ts
  var start = () => {
    let list = emptyList();
    for (const [item, tier] of [["ramen", "t1"], ["gyoza", "t1"], ["pizza", "t2"], ["naan", "t2"], ["olives", "t5"]]) list = perform(list, { kind: "place", item, tier });
    return perform(list, { kind: "hide", item: "liver" });
  };
  var acts = [
    { kind: "place", item: "ramen", tier: "t2" },
    { kind: "place", item: "ramen", tier: "t1", at: 1 },
    { kind: "between", item: "pizza", before: 1 },
    { kind: "tray", item: "naan" },
    { kind: "never", item: "oysters" },
    { kind: "hide", item: "ramen" },
    { kind: "unhide", item: "liver" },
    { kind: "addTier", before: 2 },
    { kind: "rename", tier: "t1", name: "Best" },
    { kind: "colour", tier: "t1", colour: "teal" },
    { kind: "moveTier", tier: "t1", by: 1 },
    { kind: "emptyTier", tier: "t2" },
    { kind: "removeTier", tier: "t2" },
    { kind: "title", title: "Other" },
    { kind: "clear" },
    { kind: "replace", list: emptyList(), why: "List imported" }
  ];
  test("undo after each kind of act restores the very same JSON, and redo the act", () => {
    for (const act of acts) {
      const before = start();
      const frozen = JSON.stringify(before);
      const after = perform(before, act);
      holds(!sameList(before, after), `${act.kind} had no effect`);
      equal(JSON.stringify(before), frozen, `${act.kind} changed its input`);
      const history = remember(noHistory, before, "x", "x");
      const back = undo(history, after);
      equal(JSON.stringify(back.list), frozen, act.kind);
      equal(JSON.stringify(redo(back.history, back.list).list), JSON.stringify(after), act.kind);
    }
  });
  test("any run of acts keeps every item in at most one place, and undoes to the start", () => {
    const roll = dice(11);
    const pick = (from) => from[Math.floor(roll() * from.length)];
    const first = start();
    let list = first;
    let history = noHistory;
    for (let i = 0; i < 150; i++) {
      const act = pick(acts);
      const tier = pick(list.tiers).id;
      const next = perform(list, "tier" in act ? { ...act, tier } : "before" in act ? { ...act, before: Math.floor(roll() * (list.tiers.length + 1)) } : act);
      if (next === list) continue;
      history = remember(history, list, "", "");
      list = next;
      const all = [...list.tiers.flatMap((t) => t.items), ...list.never, ...list.hidden];
      equal(all.length, new Set(all).size, `after ${act.kind}`);
      equal(new Set(list.tiers.map((t) => t.id)).size, list.tiers.length, "tier ids");
      holds(list.tiers.length > 0, "no tier left");
    }
    for (let back = undo(history, list); back; back = undo(back.history, back.list)) {
      list = back.list;
      history = back.history;
    }
    equal(list, first);
  });
  test("200 steps back and no more; a new act forgets the future", () => {
    let history = noHistory;
    for (let i = 0; i < 250; i++) history = remember(history, { ...emptyList(), title: String(i) }, "", "");
    equal(history.past.length, depth);
    equal(history.past[0].list.title, "50");
    const back = undo(history, emptyList());
    equal(remember(back.history, emptyList(), "", "").future.length, 0);
    equal(undo(noHistory, emptyList()), null);
  });
  test("acts without effect give the same list back", () => {
    const list = start();
    const nothing = [{ kind: "place", item: "ramen", tier: "t1", at: 0 }, { kind: "tray", item: "unknown" }, { kind: "moveTier", tier: "t1", by: -1 }, { kind: "rename", tier: "t1", name: "S Favourites" }, { kind: "removeTier", tier: "none" }, { kind: "emptyTier", tier: "t3" }];
    for (const act of nothing) holds(perform(list, act) === list, act.kind);
    const one = { ...list, tiers: list.tiers.slice(0, 1) };
    holds(perform(one, { kind: "removeTier", tier: "t1" }) === one, "the last tier cannot be removed");
  });
  test("order inside a tier is not part of the question", () => {
    const list = start();
    equal(question(perform(list, { kind: "place", item: "ramen", tier: "t1", at: 1 })), question(list));
    holds(JSON.stringify(question(perform(list, { kind: "place", item: "ramen", tier: "t2" }))) !== JSON.stringify(question(list)), "another tier is another question");
  });
  test("merging puts items of the same tier name together", () => {
    const read = { ...emptyList(), tiers: [{ id: "t1", name: "S Favourites", colour: "beet", items: ["pizza", "pho"] }, { id: "t2", name: "Z Last", colour: "teal", items: ["tofu"] }] };
    const list = merged(start(), read);
    equal(list.tiers[0].items, ["ramen", "gyoza", "pizza", "pho"]);
    equal(list.tiers.at(-1).name, "Z Last");
    equal([tierOf(list, "tofu"), placedCount(list)], [5, 7]);
  });
  test("merging is the same as placing item after item, and as long as the file", () => {
    const roll = dice(5);
    const pick = (n) => Math.floor(roll() * n);
    const slowly = (list, read) => {
      let next = list;
      for (const tier of read.tiers) {
        if (!next.tiers.some((own2) => own2.name.trim() === tier.name.trim())) {
          next = perform(next, { kind: "addTier", before: next.tiers.length });
          next = perform(next, { kind: "rename", tier: next.tiers.at(-1).id, name: tier.name });
        }
        const target = next.tiers.find((own2) => own2.name.trim() === tier.name.trim());
        for (const item of tier.items) next = perform(next, { kind: "place", item, tier: target.id });
      }
      return next;
    };
    for (let round = 0; round < 200; round++) {
      const names = ["S Favourites", " A Great", "Z", "Y", "Y"];
      const tiers = Array.from({ length: pick(5) }, (_, i) => ({ id: `t${i + 1}`, name: names[pick(names.length)], colour: "beet", items: Array.from({ length: pick(6) }, () => ["ramen", "pizza", "liver", "pho", "tofu", "olives"][pick(6)]) }));
      const read = { ...emptyList(), tiers };
      equal(merged(start(), read), slowly(start(), read), JSON.stringify(tiers));
    }
    const time = (items) => {
      const ids = Array.from({ length: items }, (_, i) => `item ${i}`);
      const full = { ...emptyList(), tiers: [{ id: "t1", name: "S", colour: "beet", items: ids }] };
      const began = performance.now();
      equal(placedCount(merged(full, full)), items);
      return performance.now() - began;
    };
    holds(time(2e4) < 2e4, "a file of 20,000 items takes more than 20 seconds");
  });
  test("search ignores case, accents and soft hyphens", () => {
    equal(fold("Crème  BRÛLÉE"), "creme brulee");
    holds(matches("Cheese­burger", "cheeseb"), "soft hyphen");
    holds(matches("Crème caramel", "CARA creme"), "words in any order");
    holds(matches("Smørrebrød", "smorrebrod"), "ø");
    holds(!matches("Ramen", "ramex"), "ramex");
  });
  test("what is not a list is seen", () => {
    holds(isList(start()), "a list");
    const broken = [null, 3, {}, { ...start(), tiers: [] }, { ...start(), never: [1] }, { ...start(), tiers: [{ id: "t1", name: "S", colour: "blue", items: [] }] }, { ...start(), tiers: [null] }];
    broken.forEach((value, i) => holds(!isList(value), `case ${i}`));
  });
  test("sentences", () => {
    const list = start();
    const name = (item) => item.charAt(0).toUpperCase() + item.slice(1);
    const words = (act) => actWords(list, perform(list, act), act, name);
    equal(words({ kind: "place", item: "ramen", tier: "t2" }), { label: "Ramen dropped in A", back: "Ramen back in S" });
    equal(words({ kind: "place", item: "pho", tier: "t2" }).back, "Pho back in the tray");
    equal(words({ kind: "removeTier", tier: "t2" }).label, "Tier A removed, 2 items in the tray");
    equal([0, 1, 5].map((before) => overGap(list, before)), ["New tier above S.", "New tier between S and A.", "New tier below D."]);
  });
  test("a text is cut between characters, never inside one", () => {
    equal(cut("tier", 100), "tier");
    equal(cut("🍜".repeat(101), 100), "🍜".repeat(100));
    equal(cut("a🍜b", 2), "a🍜");
  });
  test("times and lists as people say them", () => {
    equal([0.04, 4, 6.84, 9.98, 31.4, 59.7, 60, 125.4].map(seconds), ["0.0 s", "4 s", "6.8 s", "10 s", "31 s", "60 s", "1 min", "2 min 5 s"]);
    equal([[], ["a"], ["a", "b"], ["a", "b", "c"]].map(listed), ["", "a", "a and b", "a, b and c"]);
  });
  test("the year is taken off a film's name, and off nothing else", () => {
    equal(dated("Rain (2001)"), { title: "Rain", year: "2001" });
    equal(dated("M (a murder)"), { title: "M (a murder)", year: "" });
    equal(dated("(1999)"), { title: "(1999)", year: "" });
    equal(dated("2001: a film (1968)"), { title: "2001: a film", year: "1968" });
  });
  test("new tiers keep the letters in order", () => {
    const named = (names, before) => perform({ title: "", tiers: names.map((name, i) => ({ id: `t${i + 1}`, name, colour: "beet", items: [] })), never: [], hidden: [] }, { kind: "addTier", before }).tiers[before].name;
    const usual = ["S Favourites", "A", "B", "C", "D"];
    equal([0, 1, 4, 5].map((before) => named(usual, before)), ["S+", "A+", "D+", "E"]);
    equal(named(["S", "A+", "A"], 1), "A++");
    equal(named(["S", "A+", "A"], 2), "New");
    equal([named([], 0), named(["Great", "Poor"], 1), named(["Great", "Poor"], 2)], ["S", "S", "S"]);
  });

  // logic/still.ts
  function fill(old, now, beyond) {
    const present = new Set(now);
    const before = new Set(old);
    const out = [...old];
    for (let i = 0; i < out.length; i++) {
      if (present.has(out[i])) continue;
      let from = Math.max(beyond, i + 1);
      while (from < out.length && !present.has(out[from])) from++;
      if (from < out.length) {
        out[i] = out[from];
        out.splice(from, 1);
      } else {
        out.splice(i, 1);
        i--;
      }
    }
    const added = now.filter((item) => !before.has(item));
    if (added.length === 0) return out;
    if (added.length > 50) return [...out, ...added];
    for (const item of added) {
      const after = now.slice(now.indexOf(item) + 1).find((next) => before.has(next));
      const at = after === void 0 ? out.length : out.indexOf(after);
      out.splice(at < 0 ? out.length : at, 0, item);
    }
    return out;
  }

  // logic/still.test.ts
  var row = [..."abcdefgh"];
  test("what is taken is filled from beyond what is seen, and nothing else moves", () => {
    equal(fill(row, [..."abdefgh"], 5), [..."abfdegh"]);
    equal(fill(row, [..."bdefgh"], 5), [..."fbgdeh"]);
  });
  test("without anything beyond the row closes up", () => {
    equal(fill(row, [..."abdefgh"], 8), [..."abdefgh"]);
    equal(fill(row, [..."abcdefg"], 5), [..."abcdefg"]);
    equal(fill([..."abc"], [], 2), []);
  });
  test("what comes back stands before what follows it", () => {
    equal(fill([..."abfdegh"], row, 5), [..."abfcdegh"]);
    equal(fill([..."ab"], [..."abz"], 1), [..."abz"]);
  });

  // logic/poster.ts
  var motifs = {
    animation: "M4 74a12 12 0 1 0 24 0a12 12 0 1 0-24 0ZM26 62a17 17 0 1 0 34 0a17 17 0 1 0-34 0ZM54 76a8 8 0 1 0 16 0a8 8 0 1 0-16 0Z",
    western: "M0 78V66h10V54h16v12h12V44h20v22h12v12Z",
    horror: "M0 78V60l7 9 6-15 8 13 7-19 8 20 7-13 7 12 8-18 6 12 6-9v26Z",
    scifi: "M33 60a14 14 0 1 0 28 0a14 14 0 1 0-28 0ZM10 69q30 6 60-25l0 7q-28 28-60 24ZM9 50a3 3 0 1 0 6 0a3 3 0 1 0-6 0ZM19 39a2 2 0 1 0 4 0a2 2 0 1 0-4 0Z",
    musical: "M6 78V58h8v20ZM20 78V46h8v32ZM34 78V62h8v16ZM48 78V40h8v38ZM62 78V54h8v24Z",
    crime: "M0 78 44 34h12L12 78ZM24 78 68 34h2v10L36 78ZM48 78 70 56v12L60 78Z",
    mystery: "M26 60a26 26 0 1 0 52 0a26 26 0 1 0-52 0ZM34 60a18 18 0 1 1 36 0a18 18 0 1 1-36 0ZM43 60a9 9 0 1 0 18 0a9 9 0 1 0-18 0Z",
    adventure: "M0 78 20 50l11 15L48 42l22 30v6Z",
    action: "M0 58 70 42v9L0 67ZM0 73 70 57v9L9 78H0ZM40 78l30-7v7Z",
    comedy: "M9 78a26 26 0 0 1 52 0Z",
    romance: "M12 62a14 14 0 1 0 28 0a14 14 0 1 0-28 0ZM30 62a14 14 0 1 1 28 0a14 14 0 1 1-28 0Z",
    war: "M0 62 35 46 70 62v9L35 55 0 71ZM0 78 35 62 70 78H50L35 71 20 78Z",
    fantasy: "M58 36a22 22 0 1 0 8 34a26 26 0 0 1-8-34ZM22 42l2 5 5 2-5 2-2 5-2-5-5-2 5-2Z",
    drama: "M0 78V64q17-12 35-3t35-5v22Z"
  };
  var order = [
    ["Animation", "animation"],
    ["Western", "western"],
    ["Horror", "horror"],
    ["Sci-Fi", "scifi"],
    ["Musical", "musical"],
    ["Music", "musical"],
    ["Crime", "crime"],
    ["Film-Noir", "crime"],
    ["Mystery", "mystery"],
    ["Adventure", "adventure"],
    ["Action", "action"],
    ["Comedy", "comedy"],
    ["Romance", "romance"],
    ["War", "war"],
    ["Fantasy", "fantasy"],
    ["Thriller", "mystery"],
    ["Children", "animation"],
    ["Children's", "animation"],
    ["Family", "animation"],
    ["Drama", "drama"]
  ];
  var papers = Object.keys(motifs);
  function paperOf(item) {
    const groups2 = item?.groups ?? (item?.group ? [item.group] : []);
    if (groups2.length === 0) return "";
    const found = order.find(([group]) => groups2.includes(group));
    if (found) return found[1];
    let sum3 = 0;
    for (const letter of groups2[0]) sum3 = (sum3 * 31 + letter.codePointAt(0)) % 9973;
    return papers[sum3 % papers.length];
  }

  // logic/names.test.ts
  test("films are called as people call them", () => {
    for (const [name, title, year] of [
      ["Matrix, The (1999)", "The Matrix", "1999"],
      ["City of Lost Children, The (Cité des enfants perdus, La) (1995)", "The City of Lost Children", "1995"],
      ["Seven (a.k.a. Se7en) (1995)", "Seven", "1995"],
      ["Avventura, L' (a.k.a. Adventure, The) (1960)", "L'Avventura", "1960"],
      ["8 ½ (8½) (1963)", "8 ½", "1963"],
      ["Rain (2001)", "Rain", "2001"],
      ["(500) Days of Summer (2009)", "(500) Days of Summer", "2009"],
      ["Good, the Bad and the Ugly, The (1966)", "The Good, the Bad and the Ugly", "1966"]
    ])
      equal(dated(name), { title, year });
    equal(dated("Noodles, cold"), { title: "Noodles, cold", year: "" });
    equal(titleOf({ name: "Heat", year: 1995 }, "1"), { title: "Heat", year: "1995" });
    equal(titleOf({ name: "Egg (2001)", emoji: "🥚" }, "egg"), { title: "Egg (2001)", year: "" });
    equal(titleOf(void 0, "x1"), { title: "x1", year: "" });
  });
  test("long words may break, and read the same", () => {
    const shown = (title) => soft(title).replaceAll("­", "-");
    equal(shown("Casablanca"), "Casa-blanca");
    equal(shown("Goodfellas"), "Good-fel-las");
    equal(shown("Godfather"), "God-father");
    equal(shown("The Matrix"), "The Matrix");
    equal(shown("Muriel's Wedding"), "Muriel's Wed-ding");
    equal(shown("Mrs. Doubtfire"), "Mrs. Doubt-fire");
    equal(shown("The Birdcage"), "The Bird-cage");
    equal(shown("Cucumber"), "Cucum-ber");
    equal(shown("Star Trek Into Darkness"), "Star Trek Into Dark-ness");
    equal(shown("Brother"), "Brother");
    equal(shown("Straw­berries"), "Straw-berries");
    equal(shown("Groundhog Day"), "Ground-hog Day");
    for (const title of ["Intouchables", "Frankenweenie", "Groundhog Day", "Skyfall", "Ἀλέξανδρος"]) equal(plain(soft(title)), title);
  });
  test("one group decides the paper", () => {
    equal(paperOf({ groups: ["Drama", "Sci-Fi"] }), "scifi");
    equal(paperOf({ groups: ["Thriller"] }), "mystery");
    equal(paperOf({ group: "Drama" }), "drama");
    equal(paperOf({}), "");
    equal(paperOf({ group: "Fruit" }), paperOf({ group: "Fruit" }));
  });
  test("the number of a part is taken off the end of a long title", () => {
    for (const [title, stem, tail] of [
      ["Back to the Future Part II", "Back to the Future Part", " II"],
      ["Fast & Furious 6", "Fast & Furious", " 6"],
      ["Scary Movie 5", "Scary Movie", " 5"],
      ["Malcolm X", "Malcolm X", ""],
      ["Blade Runner 2049", "Blade Runner 2049", ""],
      ["The Godfather", "The Godfather", ""],
      ["Up", "Up", ""]
    ])
      equal(parted(title), [stem, tail]);
  });

  // logic/csv.ts
  var calm = (cell) => /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
  function writeCSV(rows) {
    const quote = (value) => {
      const cell = typeof value === "number" ? String(value) : calm(value);
      return /[",\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
    };
    return rows.map((row3) => row3.map(quote).join(",") + "\r\n").join("");
  }

  // logic/tiersfile.ts
  var largest = 16e6;
  var mostRows = 5e3;
  var mostTiers = 50;
  var tooLong = `a list has at most ${mostRows.toLocaleString("en-GB")} items`;
  var tooMany = `a list has at most ${mostTiers} tiers`;
  var asked = 'a tiers file is {"tiers":[{"name":"S","items":["id"]}]}';
  function checkSize(name, bytes) {
    if (bytes > largest) throw new Error(`${name} has ${Math.round(bytes / 1e6)} MB; a list has at most ${largest / 1e6} MB`);
  }
  function readOwn(name, text) {
    const start2 = text.replace(/^\ufeff/, "").trimStart();
    return /^\{\s*"(note|title|tiers|unranked)"\s*:/.test(start2) && start2.includes('"tiers"') ? readTiers(name, start2) : null;
  }
  function readTiers(file, text) {
    let value;
    try {
      value = JSON.parse(text);
    } catch (error) {
      const at = /position (\d+)/.exec(String(error))?.[1];
      const line = at ? text.slice(0, Number(at)).split("\n").length : text.split("\n").length;
      throw new Error(`${file}, line ${line}: this is not JSON; ${asked}`);
    }
    let rows = 0;
    const ids = (what, where) => {
      if (what === void 0 || what === null) return [];
      if (!Array.isArray(what)) throw new Error(`${file}: ${where} is not a list of ids; ${asked}`);
      return what.map((id, i) => {
        if (typeof id !== "string" && typeof id !== "number") throw new Error(`${file}: ${where}[${i}] is not an id; ids are texts like "ramen"`);
        if (++rows > mostRows) throw new Error(`${file}: ${where}[${i}] is one item too many; ${tooLong}`);
        return String(id);
      });
    };
    const object = value;
    if (!Array.isArray(object.tiers)) throw new Error(`${file}: "tiers" is missing; ${asked}`);
    if (object.tiers.length > mostTiers) throw new Error(`${file}: tiers[${mostTiers}] is one tier too many; ${tooMany}`);
    const tiers = object.tiers.map((tier, i) => {
      if (Array.isArray(tier)) return { name: "", colour: "", items: ids(tier, `tiers[${i}]`) };
      if (typeof tier !== "object" || tier === null) throw new Error(`${file}: tiers[${i}] is not a tier; ${asked}`);
      const { name, colour, items } = tier;
      return {
        name: typeof name === "string" ? cut(name, longestName) : "",
        colour: typeof colour === "string" ? colour : "",
        items: ids(items, `tiers[${i}].items`)
      };
    });
    return { title: typeof object.title === "string" ? cut(object.title, longestTitle) : "", tiers, never: ids(object.never, "never"), hidden: ids(object.hidden, "hidden") };
  }
  function tiersJSON(list, note2) {
    const body = {
      ...note2 ? { note: note2 } : {},
      title: list.title,
      tiers: list.tiers.map(({ name, colour, items }) => ({ name, colour, items })),
      never: list.never,
      hidden: list.hidden
    };
    return JSON.stringify(body, null, 2) + "\n";
  }
  function tiersCSV(list, nameOf) {
    const rows = list.tiers.flatMap((tier, i) => tier.items.map((item) => [item, nameOf(item), i + 1, tier.name]));
    return writeCSV([["item", "name", "tier", "tier_name"], ...rows]);
  }

  // logic/files.test.ts
  test("CSV: what is written is read back, and no cell is a formula", () => {
    equal(writeCSV([["=1+1", 'say "hi"', 3]]), `'=1+1,"say ""hi""",3\r
`);
    equal(writeCSV([["a,b", "c\nd"]]), '"a,b","c\nd"\r\n');
  });
  var odd = () => {
    let list = emptyList();
    for (const [item, tier] of [["=formula", "t1"], ['quote"d', "t1"], ["ramen", "t3"], ["-5", "t5"]]) list = perform(list, { kind: "place", item, tier });
    return perform(list, { kind: "rename", tier: "t3", name: "B, or so" });
  };
  test("export then import gives the same tiers", () => {
    const list = odd();
    const json = readOwn("list.json", tiersJSON(list, "Demo world: synthetic people"));
    equal(json.tiers.map((tier) => tier.items), list.tiers.map((tier) => tier.items));
    equal(json.tiers.map((tier) => [tier.name, tier.colour]), list.tiers.map((tier) => [tier.name, tier.colour]));
    equal(tiersCSV(list, (item) => `name of ${item}`).split("\r\n").slice(0, 3), ["item,name,tier,tier_name", "'=formula,name of =formula,1,S Favourites", '"quote""d","name of quote""d",1,S Favourites']);
  });
  test("files that are not the page's own are left to the server", () => {
    for (const text of ['[["a","b"],[3]]', "item,tier\na,1\n", '{"data":{"MediaListCollection":{}}}', '[{"rated_at":"x"}]', "S: a, b", '{"title":"no list"}']) equal(readOwn("x", text), null);
  });
  test("bad files are refused with place and remedy", async () => {
    await fails(() => readOwn("x.json", '{"tiers": [\n["a",\n}'), "x.json, line 3: this is not JSON");
    await fails(() => readOwn("x.json", '{"tiers":[["a",{}]]}'), "tiers[0][1] is not an id");
    await fails(() => readOwn("x.json", '{"tiers":[4]}'), "tiers[0] is not a tier");
    await fails(() => checkSize("x.csv", 16000001), "16 MB");
  });
  test("names keep to the server's limits, whatever the file says", () => {
    const long = "n".repeat(300);
    const json = readOwn("x.json", JSON.stringify({ title: long, tiers: [{ name: long, items: ["a"] }] }));
    equal([json.title.length, json.tiers[0].name.length], [200, 100]);
  });
  test("a list of 5,000 items and 50 tiers is read, one more is refused by its place", async () => {
    const many = (n, one) => Array.from({ length: n }, (_, i) => one(i));
    const items = (n) => many(n, (i) => `i${i}`);
    const json = (list) => readOwn("x.json", JSON.stringify(list));
    equal(json({ tiers: [items(2500)], hidden: items(2500) }).hidden.length, 2500);
    await fails(() => json({ tiers: [items(2500)], hidden: items(2501) }), "x.json: hidden[2500] is one item too many; a list has at most 5,000 items");
    equal(json({ tiers: many(50, () => "").map(() => []) }).tiers.length, 50);
    await fails(() => json({ tiers: many(51, () => "").map(() => []) }), "x.json: tiers[50] is one tier too many; a list has at most 50 tiers");
  });

  // logic/events.ts
  function events(text) {
    const parts = text.replaceAll("\r\n", "\n").split("\n\n");
    const rest = parts.pop() ?? "";
    const whole2 = [];
    for (const part of parts) {
      const event = { name: "message", data: "" };
      for (const line of part.split("\n")) {
        const [field, value] = [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1).replace(/^ /, "")];
        if (field === "event") event.name = value;
        if (field === "data") event.data += (event.data && "\n") + value;
      }
      if (event.data) whole2.push(event);
    }
    return { whole: whole2, rest };
  }

  // logic/events.test.ts
  test("events are the same however the stream is cut", () => {
    const text = ': still here\n\nevent: progress\ndata: {"epoch":1}\n\n: still here\n\nevent: end\r\ndata: {\ndata: }\r\n\r\ndata: bare\n\nevent: half';
    const want = [{ name: "progress", data: '{"epoch":1}' }, { name: "end", data: "{\n}" }, { name: "message", data: "bare" }];
    for (let size = 1; size <= text.length; size++) {
      let rest = "";
      const got = [];
      for (let at = 0; at < text.length; at += size) {
        const found = events(rest + text.slice(at, at + size));
        got.push(...found.whole);
        rest = found.rest;
      }
      equal(got, want, `in pieces of ${size}`);
      equal(rest.trim(), "event: half");
    }
  });

  // logic/board.ts
  function elsewhere(expected, fitted) {
    const sum3 = expected.reduce((x, y) => x + y, 0);
    return expected.some((v, side) => Math.abs(v / sum3 - fitted[side]) > 5e-3);
  }
  var minus = (text) => text.replace("-", "−");
  var fixed = (value, digits2) => minus(value.toFixed(digits2).replace(/^-(0\.?0*)$/, "$1"));
  var decimals = (step) => Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  var scales = {
    worth: { name: "Worth", at: (w) => w, text: (v) => fixed(v, 2), error: (h) => `±${h.toFixed(2)}`, tick: (v, step) => fixed(v, decimals(step)) },
    elo: { name: "Elo", at: (w) => 1e3 + 400 / Math.LN10 * w, text: (v) => fixed(v, 0), error: (h) => `±${h.toFixed(0)}`, tick: (v, step) => fixed(v, decimals(step)) },
    chance: { name: "Chance against the middle", at: (w) => 100 / (1 + Math.exp(-w)), text: (v) => `${v.toFixed(1)}%`, error: (h) => `±${h.toFixed(1)}`, tick: (v, step) => `${fixed(v, decimals(step))}%` }
  };
  var rankText = (low, high) => low === high ? String(low) : `${low}–${high}`;
  function firstRows(items, most3 = 19) {
    if (items.length <= most3 + 4) return items.length;
    for (let n = most3; n > most3 / 2; n--) if (items[n - 1].tier !== items[n].tier) return n;
    return most3;
  }
  function bands(items, n) {
    const out = [];
    for (let i = 0; i < n; i++) {
      const last = out.at(-1);
      if (last?.tier === items[i].tier) last.rows++;
      else out.push({ tier: items[i].tier, from: i, rows: 1 });
    }
    return out;
  }
  function reaching(items, n) {
    for (const band of bands(items, items.length)) {
      if (band.from >= n) break;
      for (let i = band.from; i < Math.min(n, band.from + band.rows); i++) if (items[i].rank_low < band.from + 1 || items[i].rank_high > band.from + band.rows) return items[i];
    }
    return void 0;
  }
  function axisOf(values, most3) {
    let low = Math.min(...values);
    let high = Math.max(...values);
    if (!(high > low)) [low, high] = [low - 0.5, high + 0.5];
    const margin = (high - low) * 0.04;
    low -= margin;
    high += margin;
    const rough = (high - low) / most3;
    const power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= rough * (1 - 1e-9)) ?? 10 * power;
    const ticks = [];
    for (let k = Math.ceil(low / step); k * step <= high; k++) ticks.push(k * step);
    return { percent: (value) => 100 * (value - low) / (high - low), ticks, step };
  }
  function marked({ a, b }, item) {
    if (a === item && !b) return { a: "", b: "" };
    if (a && !b) return { a, b: item };
    return { a: item, b: "" };
  }
  var shares = (parts) => shareOut([...parts], 100);
  var probability = (p) => p < 1e-3 ? "p below 0.001" : `p ${p < 0.1 ? p.toPrecision(1) : p.toFixed(2)}`;
  var farOff = 0.01;
  function titleOf2(source) {
    const words = (source ?? "").replace(/^.*[/\\]/, "").replace(/(\.[A-Za-z0-9]{1,5}){1,2}$/, "").replace(/[_-]+/g, " ").trim();
    return words && words.toLowerCase() !== "votes" ? `${words[0].toUpperCase()}${words.slice(1)}, ranked by votes` : "Ranked by votes";
  }

  // logic/pairs.ts
  function groups(n, counted) {
    const beats = Array.from({ length: n }, () => []);
    const joined = Array.from({ length: n }, () => []);
    for (const [i, j, wins, ties, losses] of counted) {
      if (wins + ties > 0) beats[i].push(j);
      if (losses + ties > 0) beats[j].push(i);
      if (wins + ties + losses > 0) {
        joined[i].push(j);
        joined[j].push(i);
      }
    }
    const reach = (edges, from) => {
      const seen = /* @__PURE__ */ new Set([from]);
      for (const i of seen) for (const j of edges[i]) seen.add(j);
      return seen;
    };
    const together = n === 0 || reach(joined, 0).size === n;
    const reached = beats.map((_, i) => reach(together ? beats : joined, i));
    const out = [];
    const placed = /* @__PURE__ */ new Set();
    for (let i = 0; i < n; i++) {
      if (placed.has(i)) continue;
      const group = [...reached[i]].filter((j) => reached[j].has(i)).sort((x, y) => x - y);
      for (const j of group) placed.add(j);
      out.push(group);
    }
    return { groups: out.sort((x, y) => y.length - x.length), met: together };
  }
  function residuals({ items, win, tie, counted, expected }) {
    const n = items.length;
    const out = counted.map(([i, j, wins, ties, losses], k) => {
      const alone = [win[i * n + j], tie[i * n + j], win[j * n + i]];
      const seen = [wins, ties, losses];
      const votes = wins + ties + losses;
      const due = expected?.[k] ?? alone.map((p) => votes * p);
      const all = due[0] + due[1] + due[2];
      const fitted = [due[0] / all, due[1] / all, due[2] / all];
      const square = seen.reduce((sum3, v, side) => sum3 + (due[side] > 0 ? (v - due[side]) ** 2 / due[side] : 0), 0);
      return { i, j, counted: seen, fitted, square };
    });
    return out.sort((x, y) => y.square - x.square);
  }
  function calibration(pairs, bins = 10) {
    const sums = Array.from({ length: bins }, () => ({ said: 0, won: 0, votes: 0 }));
    for (const { counted, fitted } of residuals(pairs)) {
      const votes = counted[0] + counted[1] + counted[2];
      for (const side of [0, 2]) {
        const bin2 = sums[Math.min(bins - 1, Math.floor(fitted[side] * bins))];
        bin2.said += votes * fitted[side];
        bin2.won += counted[side];
        bin2.votes += votes;
      }
    }
    return sums.filter((bin2) => bin2.votes > 0).map(({ said, won, votes }) => {
      const observed = won / votes;
      const half = 1.96 * Math.sqrt(observed * (1 - observed) / votes);
      return { p: said / votes, observed, low: observed - half, high: observed + half, count: votes };
    });
  }

  // logic/board.test.ts
  var row2 = (tier, rank_low, rank_high) => ({ item: `${tier} ${rank_low}`, name: null, worth: -rank_low, std_err: 0.1, low: 0, high: 0, quasi: 0.1, rank: rank_low, rank_low, rank_high, tier });
  test("board: scales keep the order, and meet where they should", () => {
    const random = dice(7);
    for (const scale2 of Object.values(scales))
      for (let k = 0; k < 200; k++) {
        const [x, y] = [6 * random() - 3, 6 * random() - 3];
        holds(x < y === scale2.at(x) < scale2.at(y), `${scale2.name}: ${x} and ${y}`);
      }
    equal([scales.elo.at(0), Math.round(scales.elo.at(Math.LN10))], [1e3, 1400]);
    equal([scales.chance.at(0), Math.round(scales.chance.at(Math.log(3)))], [50, 75]);
    equal([scales.worth.text(-0.5), scales.worth.text(-1e-3), scales.elo.text(1234.4), scales.chance.text(81.94)], ["−0.50", "0.00", "1234", "81.9%"]);
  });
  test("board: the first rows are whole tiers", () => {
    const rows = (tiers) => tiers.map((tier, i) => row2(tier, i + 1, i + 1));
    equal(firstRows(rows(Array.from({ length: 23 }, () => 1))), 23, "few");
    equal(firstRows(rows(Array.from({ length: 60 }, (_, i) => i < 17 ? 1 : 2))), 17, "to the end of a tier");
    equal(firstRows(rows(Array.from({ length: 60 }, () => 1))), 19, "one tier of all");
  });
  test("board: bands, and ranks that reach over them", () => {
    const items = [row2(1, 1, 1), row2(2, 2, 3), row2(2, 2, 3), row2(3, 4, 4)];
    equal(bands(items, 3), [{ tier: 1, from: 0, rows: 1 }, { tier: 2, from: 1, rows: 2 }]);
    equal(reaching(items, 4), void 0);
    items[2] = row2(2, 2, 4);
    equal(reaching(items, 4)?.rank_high, 4);
    equal(reaching(items, 2), void 0, "not shown");
    equal([rankText(3, 3), rankText(5, 8)], ["3", "5–8"]);
  });
  test("board: an axis holds its values, with round ticks", () => {
    const random = dice(3);
    for (let k = 0; k < 300; k++) {
      const values = [1, 2, 3].map(() => (random() - 0.5) * 10 ** Math.floor(6 * random() - 2));
      const axis = axisOf(values, 6);
      for (const value of values) holds(axis.percent(value) > 0 && axis.percent(value) < 100, `${value} is outside`);
      holds(axis.ticks.length >= 2 && axis.ticks.length <= 7, `${axis.ticks.length} ticks for ${values}`);
      for (const tick of axis.ticks) holds(Math.abs(tick / axis.step - Math.round(tick / axis.step)) < 1e-6, `${tick} is no multiple of ${axis.step}`);
    }
    equal(axisOf([2, 2], 4).percent(2), 50, "one value");
  });
  test("board: marks go to A, to B, and to A anew", () => {
    let marks = marked({ a: "", b: "" }, "x");
    equal(marks, { a: "x", b: "" });
    equal(marked(marks, "x"), { a: "", b: "" }, "the same again");
    marks = marked(marks, "y");
    equal(marks, { a: "x", b: "y" });
    equal(marked(marks, "z"), { a: "z", b: "" });
    equal(marked(marks, "x"), { a: "x", b: "" });
  });
  test("board: shares add up to 100", () => {
    const random = dice(11);
    for (let k = 0; k < 500; k++) equal(shares([random(), random() / 50, random()]).reduce((x, y) => x + y, 0), 100);
    equal([probability(0.4), probability(0.012), probability(1e-9)], ["p 0.40", "p 0.01", "p below 0.001"]);
    holds(farOff === 0.01, "the words of the page name it");
  });
  test("board: groups that votes do not join", () => {
    equal(groups(3, [[0, 1, 3, 0, 1], [1, 2, 0, 1, 0]]), { groups: [[0, 1, 2]], met: true }, "a tie joins");
    equal(groups(4, [[0, 1, 3, 0, 1], [2, 3, 1, 0, 1]]), { groups: [[0, 1], [2, 3]], met: false }, "never compared");
    equal(groups(4, [[0, 1, 3, 0, 1], [2, 3, 1, 0, 0]]), { groups: [[0, 1], [2, 3]], met: false }, "and within one of them a side that always won");
    equal(groups(3, [[0, 1, 3, 0, 1], [2, 0, 4, 0, 0]]), { groups: [[0, 1], [2]], met: true }, "always won");
    equal(groups(3, [[0, 1, 1, 0, 0], [1, 2, 1, 0, 0], [2, 0, 1, 0, 0]]).groups.length, 1, "a circle");
  });
  test("board: residuals and calibration of a fit that is true, and of one that is not", () => {
    const pairs = { items: ["x", "y"], win: [0, 0.5, 0.3, 0], tie: [0, 0.2, 0.2, 0], counted: [[0, 1, 50, 20, 30]] };
    equal(residuals(pairs)[0].square, 0);
    equal(calibration(pairs).map((bin2) => [bin2.p, bin2.observed, bin2.count]), [[0.3, 0.3, 100], [0.5, 0.5, 100]]);
    pairs.counted = [[1, 0, 50, 20, 30]];
    equal(residuals(pairs)[0].square.toFixed(3), (20 ** 2 / 30 + 20 ** 2 / 50).toFixed(3));
    pairs.expected = [[50, 20, 30]];
    equal(residuals(pairs)[0], { i: 1, j: 0, counted: [50, 20, 30], fitted: [0.5, 0.2, 0.3], square: 0 });
    equal(calibration(pairs).map((bin2) => bin2.p), [0.3, 0.5]);
  });
  test("board: what is expected in longer votes is shown where it differs from a vote on the two alone", () => {
    equal([elsewhere([50, 20, 30], [0.5, 0.2, 0.3]), elsewhere([60, 20, 20], [0.5, 0.2, 0.3])], [false, true]);
  });
  test("board: titles from names of files", () => {
    equal([titleOf2("arena.csv"), titleOf2("/tmp/chat_votes-2024.csv.gz"), titleOf2(void 0), titleOf2("votes.csv"), titleOf2("00004-1.toi")], ["Arena, ranked by votes", "Chat votes 2024, ranked by votes", "Ranked by votes", "Ranked by votes", "00004 1, ranked by votes"]);
  });

  // logic/mapview.ts
  var whole = { times: 1, x: 0, y: 0 };
  var most2 = 12;
  function scale(map2, width, height, margin) {
    const points = [...map2.items, map2.person];
    let [left, right, bottom, top] = [Infinity, -Infinity, Infinity, -Infinity];
    for (const { x, y } of points) {
      left = Math.min(left, x);
      right = Math.max(right, x);
      bottom = Math.min(bottom, y);
      top = Math.max(top, y);
    }
    const unit = Math.min((width - 2 * margin) / Math.max(right - left, 1e-9), (height - 2 * margin) / Math.max(top - bottom, 1e-9));
    return { unit, at: (p) => ({ x: (p.x - (left + right) / 2) * unit, y: ((bottom + top) / 2 - p.y) * unit }) };
  }
  function held(view, width, height) {
    const times = Math.min(most2, Math.max(1, view.times));
    const room = (size) => size / 2 * (1 - 1 / times);
    const within = (v, limit) => Math.min(limit, Math.max(-limit, v)) + 0;
    return { times, x: within(view.x, room(width)), y: within(view.y, room(height)) };
  }
  function zoomed(view, factor, under, width, height) {
    const times = Math.min(most2, Math.max(1, view.times * factor));
    const stays = (at, middle) => middle + at / view.times - at / times;
    return held({ times, x: stays(under.x, view.x), y: stays(under.y, view.y) }, width, height);
  }
  var inView = (p, view) => ({ x: (p.x - view.x) * view.times, y: (p.y - view.y) * view.times });
  function inRing(p, ring) {
    const angle = ring.angle * Math.PI / 180;
    const [x, y] = [p.x - ring.x, p.y - ring.y];
    return Math.hypot((x * Math.cos(angle) + y * Math.sin(angle)) / (ring.rx || 1e-9), (y * Math.cos(angle) - x * Math.sin(angle)) / (ring.ry || 1e-9)) <= 1;
  }
  function nearest(spots, to, reach) {
    let best = null;
    let least2 = reach * reach;
    for (const spot of spots) {
      const far = (spot.x - to.x) ** 2 + (spot.y - to.y) ** 2;
      if (far <= least2) [best, least2] = [spot, far];
    }
    return best;
  }
  function labels(wanted, width, height, free, letter = 6.2) {
    const boxes = free.map(({ x, y }) => ({ left: x - 9, right: x + 9, top: y - 9, bottom: y + 9 }));
    const done = [];
    for (const one of wanted) {
      const long = one.name.length * letter;
      for (const anchor of ["start", "end"]) {
        const left = anchor === "start" ? one.x + 7 : one.x - 7 - long;
        const box = { left, right: left + long, top: one.y - 8, bottom: one.y + 8 };
        const fits = box.left >= -width / 2 + 2 && box.right <= width / 2 - 2 && box.top >= -height / 2 && box.bottom <= height / 2;
        if (!fits || boxes.some((b) => b.left < box.right && b.right > box.left && b.top < box.bottom && b.bottom > box.top)) continue;
        boxes.push(box, { left: one.x - 4, right: one.x + 4, top: one.y - 4, bottom: one.y + 4 });
        done.push({ ...one, anchor });
        break;
      }
    }
    return done;
  }
  var meanOf = (values) => values.length < 5 ? null : values.reduce((a, b) => a + b, 0) / values.length;

  // logic/mapview.test.ts
  var map = {
    person: { x: 0, y: 0 },
    ring: { x: 1, y: 2, rx: 2, ry: 1, angle: 90 },
    items: [{ item: "a", x: -2, y: 1 }, { item: "b", x: 6, y: -3 }],
    kept: 1,
    directions: 2,
    of: 2
  };
  test("one unit for both axes, all within the picture", () => {
    const { unit, at } = scale(map, 100, 80, 10);
    equal(unit, 10);
    equal(at(map.items[0]), { x: -40, y: -20 });
    equal(at(map.items[1]), { x: 40, y: 20 });
  });
  test("what is under the pointer stays there while the view is enlarged", () => {
    const under = { x: 30, y: -20 };
    const before = { x: under.x / whole.times + whole.x, y: under.y / whole.times + whole.y };
    let view = whole;
    for (const factor of [2, 2, 1.5]) view = zoomed(view, factor, under, 100, 80);
    equal(view.times, 6);
    const now = inView(before, view);
    holds(Math.abs(now.x - under.x) < 1e-9 && Math.abs(now.y - under.y) < 1e-9, `${now.x}, ${now.y}`);
    equal(zoomed(view, 0.01, under, 100, 80), whole);
    equal(held({ times: 2, x: 999, y: -999 }, 100, 80), { times: 2, x: 25, y: -20 });
  });
  test("the ring is turned", () => {
    holds(inRing({ x: 1, y: 3.9 }, map.ring), "along its long axis");
    holds(!inRing({ x: 2.5, y: 2 }, map.ring), "beyond its short one");
  });
  test("the nearest within reach", () => {
    equal(nearest(map.items, { x: -1, y: 1 }, 2)?.item, "a");
    equal(nearest(map.items, { x: 2, y: 0 }, 2), null);
  });
  test("names cover neither each other nor what is kept free", () => {
    const three = labels([{ item: "a", name: "Alien", x: 0, y: 0 }, { item: "b", name: "Heat", x: 10, y: 3 }, { item: "c", name: "Up", x: 170, y: 50 }], 350, 236, []);
    equal(three.map(({ item, anchor }) => `${item} ${anchor}`), ["a start", "c end"]);
    equal(labels([{ item: "a", name: "Alien", x: 0, y: 0 }], 350, 236, [{ x: 20, y: 0 }])[0]?.anchor, "end");
  });
  test("a mean of few says nothing", () => {
    equal(meanOf([1, 1, 1, 1]), null);
    equal(meanOf([1, 2, 3, 4, 5]), 3);
  });

  // logic/together.ts
  function compare(mine, theirs) {
    const tiers = mine.tiers.length;
    const onMine = (tier) => theirs.tiers.length === tiers ? tier : theirs.tiers.length < 2 ? 0 : Math.round(tier * (tiers - 1) / (theirs.tiers.length - 1));
    const at = new Map(theirs.tiers.flatMap((tier, t) => tier.items.map((item) => [item, onMine(t)])));
    const shared = mine.tiers.flatMap((tier, t) => tier.items.filter((item) => at.has(item)).map((item) => ({ item, mine: t, theirs: at.get(item) })));
    const table = mine.tiers.map(() => mine.tiers.map(() => 0));
    for (const one of shared) table[one.mine][one.theirs]++;
    const count2 = (which) => shared.filter((one) => which(Math.abs(one.mine - one.theirs))).length;
    const rows = table.map((row3) => row3.reduce((a, b) => a + b, 0));
    const columns = table.map((_, k) => table.reduce((sum3, row3) => sum3 + row3[k], 0));
    const chance = shared.length === 0 ? 0 : rows.reduce((sum3, row3, k) => sum3 + row3 * columns[k] / shared.length, 0);
    return { shared, same: count2((n) => n === 0), near: count2((n) => n === 1), far: count2((n) => n > 1), table, chance, scaled: theirs.tiers.length !== tiers };
  }
  var differing = (shared) => shared.filter((one) => one.mine !== one.theirs).sort((a, b) => Math.abs(b.mine - b.theirs) - Math.abs(a.mine - a.theirs));
  var agreed = (shared) => shared.filter((one) => one.mine === one.theirs).sort((a, b) => a.mine - b.mine);
  function asBoard(empty, title, places) {
    const last = empty.tiers.length - 1;
    return { ...empty, title, tiers: empty.tiers.map((tier, t) => ({ ...tier, items: places.filter(({ at }) => Math.round(at * last) === t).map(({ item }) => item) })) };
  }
  var linkedList = (text) => /(?:^|\/list\/)([A-Za-z0-9_-]{22,64})\/?\s*$/.exec(text.trim())?.[1] ?? "";

  // logic/together.test.ts
  var listed2 = (...tiers) => ({ ...emptyList(), tiers: emptyList().tiers.slice(0, tiers.length).map((tier, t) => ({ ...tier, items: tiers[t].split(" ").filter(Boolean) })) });
  test("two lists are compared on what both placed", () => {
    const found = compare(listed2("a b", "c", "d", "", "e x"), listed2("a", "c b", "", "", "d e y"));
    equal([found.same, found.near, found.far, found.shared.length], [3, 1, 1, 5]);
    equal(found.table.flat().reduce((a, b) => a + b, 0), 5);
    holds(Math.abs(found.chance - (2 * 1 + 1 * 2 + 0 + 0 + 1 * 2) / 5) < 1e-12, `chance ${found.chance}`);
    equal(differing(found.shared).map(({ item }) => item), ["d", "b"]);
    equal(agreed(found.shared).map(({ item }) => item), ["a", "c", "e"]);
  });
  test("lists with other numbers of tiers are compared by position", () => {
    const found = compare(listed2("a", "", "b", "", "c"), listed2("a", "b", "c"));
    equal([found.same, found.scaled], [3, true]);
  });
  test("a common list becomes a board", () => {
    equal(asBoard(emptyList(), "All", [{ item: "a", at: 0.1 }, { item: "b", at: 0.5 }, { item: "c", at: 1 }]).tiers.map((tier) => tier.items.join(" ")), ["a", "", "b", "", "c"]);
  });
  test("links lead to lists", () => {
    equal(linkedList("http://127.0.0.1:8080/list/abcdefghijklmnopqrstuvwx"), "abcdefghijklmnopqrstuvwx");
    equal(linkedList("http://x/#/list/abcdefghijklmnopqrstuvwx"), "abcdefghijklmnopqrstuvwx");
    equal([linkedList("hello"), linkedList("")], ["", ""]);
  });

  // vendor/preact/constants.js
  var MODE_HYDRATE = 1 << 5;
  var MODE_SUSPENDED = 1 << 7;
  var INSERT_VNODE = 1 << 2;
  var MATCHED = 1 << 1;
  var RESET_MODE = ~(MODE_HYDRATE | MODE_SUSPENDED);
  var SVG_NAMESPACE = "http://www.w3.org/2000/svg";
  var XHTML_NAMESPACE = "http://www.w3.org/1999/xhtml";
  var MATH_NAMESPACE = "http://www.w3.org/1998/Math/MathML";
  var NULL = null;
  var UNDEFINED = void 0;
  var EMPTY_OBJ = (
    /** @type {any} */
    {}
  );
  var EMPTY_ARR = [];
  var IS_NON_DIMENSIONAL = /acit|ex(?:s|g|n|p|$)|rph|grid|ows|mnc|ntw|ine[ch]|zoo|^ord|itera/i;

  // vendor/preact/util.js
  var isArray = Array.isArray;
  function assign(obj, props) {
    for (let i in props) obj[i] = props[i];
    return (
      /** @type {O & P} */
      obj
    );
  }
  function removeNode(node) {
    if (node && node.parentNode) node.parentNode.removeChild(node);
  }
  var slice = EMPTY_ARR.slice;

  // vendor/preact/diff/catch-error.js
  function _catchError(error, vnode, oldVNode, errorInfo) {
    let component, ctor, handled;
    for (; vnode = vnode._parent; ) {
      if ((component = vnode._component) && !component._processingException) {
        try {
          ctor = component.constructor;
          if (ctor && ctor.getDerivedStateFromError != NULL) {
            component.setState(ctor.getDerivedStateFromError(error));
            handled = component._dirty;
          }
          if (component.componentDidCatch != NULL) {
            component.componentDidCatch(error, errorInfo || {});
            handled = component._dirty;
          }
          if (handled) {
            return component._pendingError = component;
          }
        } catch (e) {
          error = e;
        }
      }
    }
    throw error;
  }

  // vendor/preact/options.js
  var options = {
    _catchError
  };
  var options_default = options;

  // vendor/preact/create-element.js
  var vnodeId = 0;
  function createVNode(type, props, key, ref, original) {
    const vnode = {
      type,
      props,
      key,
      ref,
      _children: NULL,
      _parent: NULL,
      _depth: 0,
      _dom: NULL,
      _component: NULL,
      constructor: UNDEFINED,
      _original: original == NULL ? ++vnodeId : original,
      _index: -1,
      _flags: 0
    };
    if (original == NULL && options_default.vnode != NULL) options_default.vnode(vnode);
    return vnode;
  }
  function Fragment(props) {
    return props.children;
  }

  // vendor/preact/component.js
  function BaseComponent(props, context) {
    this.props = props;
    this.context = context;
  }
  BaseComponent.prototype.setState = function(update, callback) {
    let s;
    if (this._nextState != NULL && this._nextState != this.state) {
      s = this._nextState;
    } else {
      s = this._nextState = assign({}, this.state);
    }
    if (typeof update == "function") {
      update = update(assign({}, s), this.props);
    }
    if (update) {
      assign(s, update);
    }
    if (update == NULL) return;
    if (this._vnode) {
      if (callback) {
        this._stateCallbacks.push(callback);
      }
      enqueueRender(this);
    }
  };
  BaseComponent.prototype.forceUpdate = function(callback) {
    if (this._vnode) {
      this._force = true;
      if (callback) this._renderCallbacks.push(callback);
      enqueueRender(this);
    }
  };
  BaseComponent.prototype.render = Fragment;
  function getDomSibling(vnode, childIndex) {
    if (childIndex == NULL) {
      return vnode._parent ? getDomSibling(vnode._parent, vnode._index + 1) : NULL;
    }
    let sibling;
    for (; childIndex < vnode._children.length; childIndex++) {
      sibling = vnode._children[childIndex];
      if (sibling != NULL && sibling._dom != NULL) {
        return sibling._dom;
      }
    }
    return typeof vnode.type == "function" ? getDomSibling(vnode) : NULL;
  }
  function renderComponent(component) {
    if (component._parentDom && component._dirty) {
      let oldVNode = component._vnode, oldDom = oldVNode._dom, commitQueue = [], refQueue = [], newVNode = assign({}, oldVNode);
      newVNode._original = oldVNode._original + 1;
      if (options_default.vnode) options_default.vnode(newVNode);
      diff(
        component._parentDom,
        newVNode,
        oldVNode,
        component._globalContext,
        component._parentDom.namespaceURI,
        oldVNode._flags & MODE_HYDRATE ? [oldDom] : NULL,
        commitQueue,
        oldDom == NULL ? getDomSibling(oldVNode) : oldDom,
        !!(oldVNode._flags & MODE_HYDRATE),
        refQueue
      );
      newVNode._original = oldVNode._original;
      newVNode._parent._children[newVNode._index] = newVNode;
      commitRoot(commitQueue, newVNode, refQueue);
      oldVNode._dom = oldVNode._parent = null;
      if (newVNode._dom != oldDom) {
        updateParentDomPointers(newVNode);
      }
    }
  }
  function updateParentDomPointers(vnode) {
    if ((vnode = vnode._parent) != NULL && vnode._component != NULL) {
      vnode._dom = vnode._component.base = NULL;
      vnode._children.some((child) => {
        if (child != NULL && child._dom != NULL) {
          return vnode._dom = vnode._component.base = child._dom;
        }
      });
      return updateParentDomPointers(vnode);
    }
  }
  var rerenderQueue = [];
  var prevDebounce;
  var defer = typeof Promise == "function" ? Promise.prototype.then.bind(Promise.resolve()) : setTimeout;
  function enqueueRender(c) {
    if (!c._dirty && (c._dirty = true) && rerenderQueue.push(c) && !process._rerenderCount++ || prevDebounce != options_default.debounceRendering) {
      prevDebounce = options_default.debounceRendering;
      (prevDebounce || defer)(process);
    }
  }
  var depthSort = (a, b) => a._vnode._depth - b._vnode._depth;
  function process() {
    try {
      let c, l = 1;
      while (rerenderQueue.length) {
        if (rerenderQueue.length > l) {
          rerenderQueue.sort(depthSort);
        }
        c = rerenderQueue.shift();
        l = rerenderQueue.length;
        renderComponent(c);
      }
    } finally {
      rerenderQueue.length = process._rerenderCount = 0;
    }
  }
  process._rerenderCount = 0;

  // vendor/preact/diff/children.js
  function diffChildren(parentDom, renderResult, newParentVNode, oldParentVNode, globalContext, namespace, excessDomChildren, commitQueue, oldDom, isHydrating, refQueue) {
    let i, oldVNode, childVNode, newDom, firstChildDom;
    let oldChildren = oldParentVNode && oldParentVNode._children || EMPTY_ARR;
    let newChildrenLength = renderResult.length;
    oldDom = constructNewChildrenArray(
      newParentVNode,
      renderResult,
      oldChildren,
      oldDom,
      newChildrenLength
    );
    for (i = 0; i < newChildrenLength; i++) {
      childVNode = newParentVNode._children[i];
      if (childVNode == NULL) continue;
      oldVNode = childVNode._index != -1 && oldChildren[childVNode._index] || EMPTY_OBJ;
      childVNode._index = i;
      let result = diff(
        parentDom,
        childVNode,
        oldVNode,
        globalContext,
        namespace,
        excessDomChildren,
        commitQueue,
        oldDom,
        isHydrating,
        refQueue
      );
      newDom = childVNode._dom;
      if (childVNode.ref && oldVNode.ref != childVNode.ref) {
        if (oldVNode.ref) {
          applyRef(oldVNode.ref, NULL, childVNode);
        }
        refQueue.push(
          childVNode.ref,
          childVNode._component || newDom,
          childVNode
        );
      }
      if (firstChildDom == NULL && newDom != NULL) {
        firstChildDom = newDom;
      }
      if (childVNode._flags & INSERT_VNODE) {
        oldDom = insert2(childVNode, oldDom, parentDom);
        if (oldVNode._dom) {
          oldVNode._dom = NULL;
        }
      } else if (typeof childVNode.type == "function" && result !== UNDEFINED) {
        oldDom = result;
      } else if (newDom) {
        oldDom = newDom.nextSibling;
      }
      childVNode._flags &= ~(INSERT_VNODE | MATCHED);
    }
    newParentVNode._dom = firstChildDom;
    return oldDom;
  }
  function constructNewChildrenArray(newParentVNode, renderResult, oldChildren, oldDom, newChildrenLength) {
    let i;
    let childVNode;
    let oldVNode;
    let oldChildrenLength = oldChildren.length, remainingOldChildren = oldChildrenLength;
    let skew = 0;
    newParentVNode._children = new Array(newChildrenLength);
    for (i = 0; i < newChildrenLength; i++) {
      childVNode = renderResult[i];
      if (childVNode == NULL || typeof childVNode == "boolean" || typeof childVNode == "function") {
        newParentVNode._children[i] = NULL;
        continue;
      } else if (typeof childVNode == "string" || typeof childVNode == "number" || // eslint-disable-next-line valid-typeof
      typeof childVNode == "bigint" || childVNode.constructor == String) {
        childVNode = newParentVNode._children[i] = createVNode(
          NULL,
          childVNode,
          NULL,
          NULL,
          NULL
        );
      } else if (isArray(childVNode)) {
        childVNode = newParentVNode._children[i] = createVNode(
          Fragment,
          { children: childVNode },
          NULL,
          NULL,
          NULL
        );
      } else if (childVNode.constructor === UNDEFINED && childVNode._depth > 0) {
        childVNode = newParentVNode._children[i] = createVNode(
          childVNode.type,
          childVNode.props,
          childVNode.key,
          childVNode.ref ? childVNode.ref : NULL,
          childVNode._original
        );
      } else {
        newParentVNode._children[i] = childVNode;
      }
      const skewedIndex = i + skew;
      childVNode._parent = newParentVNode;
      childVNode._depth = newParentVNode._depth + 1;
      const matchingIndex = childVNode._index = findMatchingIndex(
        childVNode,
        oldChildren,
        skewedIndex,
        remainingOldChildren
      );
      oldVNode = NULL;
      if (matchingIndex != -1) {
        oldVNode = oldChildren[matchingIndex];
        remainingOldChildren--;
        if (oldVNode) {
          oldVNode._flags |= MATCHED;
        }
      }
      const isMounting = oldVNode == NULL || oldVNode._original == NULL;
      if (isMounting) {
        if (matchingIndex == -1) {
          if (newChildrenLength > oldChildrenLength) {
            skew--;
          } else if (newChildrenLength < oldChildrenLength) {
            skew++;
          }
        }
        if (typeof childVNode.type != "function") {
          childVNode._flags |= INSERT_VNODE;
        }
      } else if (matchingIndex != skewedIndex) {
        if (matchingIndex == skewedIndex - 1) {
          skew--;
        } else if (matchingIndex == skewedIndex + 1) {
          skew++;
        } else {
          if (matchingIndex > skewedIndex) {
            skew--;
          } else {
            skew++;
          }
          childVNode._flags |= INSERT_VNODE;
        }
      }
    }
    if (remainingOldChildren) {
      for (i = 0; i < oldChildrenLength; i++) {
        oldVNode = oldChildren[i];
        if (oldVNode != NULL && (oldVNode._flags & MATCHED) == 0) {
          if (oldVNode._dom == oldDom) {
            oldDom = getDomSibling(oldVNode);
          }
          unmount(oldVNode, oldVNode);
        }
      }
    }
    return oldDom;
  }
  function insert2(parentVNode, oldDom, parentDom) {
    if (typeof parentVNode.type == "function") {
      let children = parentVNode._children;
      for (let i = 0; children && i < children.length; i++) {
        if (children[i]) {
          children[i]._parent = parentVNode;
          oldDom = insert2(children[i], oldDom, parentDom);
        }
      }
      return oldDom;
    } else if (parentVNode._dom != oldDom) {
      if (oldDom && parentVNode.type && !oldDom.parentNode) {
        oldDom = getDomSibling(parentVNode);
      }
      oldDom = parentDom.insertBefore(parentVNode._dom, oldDom || NULL);
    }
    do {
      oldDom = oldDom && oldDom.nextSibling;
    } while (oldDom != NULL && oldDom.nodeType == 8);
    return oldDom;
  }
  function findMatchingIndex(childVNode, oldChildren, skewedIndex, remainingOldChildren) {
    const key = childVNode.key;
    const type = childVNode.type;
    let oldVNode = oldChildren[skewedIndex];
    const matched = oldVNode != NULL && (oldVNode._flags & MATCHED) == 0;
    let shouldSearch = (
      // (typeof type != 'function' || type === Fragment || key) &&
      remainingOldChildren > (matched ? 1 : 0)
    );
    if (oldVNode === NULL && key == null || matched && key == oldVNode.key && type == oldVNode.type) {
      return skewedIndex;
    } else if (shouldSearch) {
      let x = skewedIndex - 1;
      let y = skewedIndex + 1;
      while (x >= 0 || y < oldChildren.length) {
        const childIndex = x >= 0 ? x-- : y++;
        oldVNode = oldChildren[childIndex];
        if (oldVNode != NULL && (oldVNode._flags & MATCHED) == 0 && key == oldVNode.key && type == oldVNode.type) {
          return childIndex;
        }
      }
    }
    return -1;
  }

  // vendor/preact/diff/props.js
  var _id = Math.random().toString(8);
  var EVENT_DISPATCHED = "__d" + _id;
  var EVENT_ATTACHED = "__a" + _id;
  function setStyle(style, key, value) {
    if (key[0] == "-") {
      style.setProperty(key, value == NULL ? "" : value);
    } else if (value == NULL) {
      style[key] = "";
    } else if (typeof value != "number" || IS_NON_DIMENSIONAL.test(key)) {
      style[key] = value;
    } else {
      style[key] = value + "px";
    }
  }
  var CAPTURE_REGEX = /(PointerCapture)$|Capture$/i;
  var eventClock = 0;
  function setProperty(dom, name, value, oldValue, namespace) {
    let useCapture;
    o: if (name == "style") {
      if (typeof value == "string") {
        dom.style.cssText = value;
      } else {
        if (typeof oldValue == "string") {
          dom.style.cssText = oldValue = "";
        }
        if (oldValue) {
          for (name in oldValue) {
            if (!(value && name in value)) {
              setStyle(dom.style, name, "");
            }
          }
        }
        if (value) {
          for (name in value) {
            if (!oldValue || value[name] != oldValue[name]) {
              setStyle(dom.style, name, value[name]);
            }
          }
        }
      }
    } else if (name[0] == "o" && name[1] == "n") {
      useCapture = name != (name = name.replace(CAPTURE_REGEX, "$1"));
      const lowerCaseName = name.toLowerCase();
      if (lowerCaseName in dom || name == "onFocusOut" || name == "onFocusIn")
        name = lowerCaseName.slice(2);
      else name = name.slice(2);
      if (!dom._listeners) dom._listeners = {};
      dom._listeners[name + useCapture] = value;
      if (value) {
        if (!oldValue) {
          value[EVENT_ATTACHED] = eventClock;
          dom.addEventListener(
            name,
            useCapture ? eventProxyCapture : eventProxy,
            useCapture
          );
        } else {
          value[EVENT_ATTACHED] = oldValue[EVENT_ATTACHED];
        }
      } else {
        dom.removeEventListener(
          name,
          useCapture ? eventProxyCapture : eventProxy,
          useCapture
        );
      }
    } else {
      if (namespace == SVG_NAMESPACE) {
        name = name.replace(/xlink(H|:h)/, "h").replace(/sName$/, "s");
      } else if (name != "width" && name != "height" && name != "href" && name != "list" && name != "form" && // Default value in browsers is `-1` and an empty string is
      // cast to `0` instead
      name != "tabIndex" && name != "download" && name != "rowSpan" && name != "colSpan" && name != "role" && name != "popover" && name in dom) {
        try {
          dom[name] = value == NULL ? "" : value;
          break o;
        } catch (e) {
        }
      }
      if (typeof value == "function") {
      } else if (value != NULL && (value !== false || name[4] == "-")) {
        dom.setAttribute(name, name == "popover" && value == true ? "" : value);
      } else {
        dom.removeAttribute(name);
      }
    }
  }
  function createEventProxy(useCapture) {
    return function(e) {
      if (this._listeners) {
        const eventHandler = this._listeners[e.type + useCapture];
        if (e[EVENT_DISPATCHED] == NULL) {
          e[EVENT_DISPATCHED] = eventClock++;
        } else if (e[EVENT_DISPATCHED] < eventHandler[EVENT_ATTACHED]) {
          return;
        }
        return eventHandler(options_default.event ? options_default.event(e) : e);
      }
    };
  }
  var eventProxy = createEventProxy(false);
  var eventProxyCapture = createEventProxy(true);

  // vendor/preact/diff/index.js
  function diff(parentDom, newVNode, oldVNode, globalContext, namespace, excessDomChildren, commitQueue, oldDom, isHydrating, refQueue) {
    let tmp, newType = newVNode.type;
    if (newVNode.constructor !== UNDEFINED) return NULL;
    if (oldVNode._flags & MODE_SUSPENDED) {
      isHydrating = !!(oldVNode._flags & MODE_HYDRATE);
      oldDom = newVNode._dom = oldVNode._dom;
      excessDomChildren = [oldDom];
    }
    if (tmp = options_default._diff) tmp(newVNode);
    outer: if (typeof newType == "function") {
      let oldCommitQueueLength = commitQueue.length;
      try {
        let c, isNew, oldProps, oldState, snapshot, clearProcessingException;
        let newProps = newVNode.props;
        const isClassComponent = newType.prototype && newType.prototype.render;
        tmp = newType.contextType;
        let provider = tmp && globalContext[tmp._id];
        let componentContext = tmp ? provider ? provider.props.value : tmp._defaultValue : globalContext;
        if (oldVNode._component) {
          c = newVNode._component = oldVNode._component;
          clearProcessingException = c._processingException = c._pendingError;
        } else {
          if (isClassComponent) {
            newVNode._component = c = new newType(newProps, componentContext);
          } else {
            newVNode._component = c = new BaseComponent(
              newProps,
              componentContext
            );
            c.constructor = newType;
            c.render = doRender;
          }
          if (provider) provider.sub(c);
          if (!c.state) c.state = {};
          c._globalContext = globalContext;
          isNew = c._dirty = true;
          c._renderCallbacks = [];
          c._stateCallbacks = [];
        }
        if (isClassComponent && c._nextState == NULL) {
          c._nextState = c.state;
        }
        if (isClassComponent && newType.getDerivedStateFromProps != NULL) {
          if (c._nextState == c.state) {
            c._nextState = assign({}, c._nextState);
          }
          assign(
            c._nextState,
            newType.getDerivedStateFromProps(newProps, c._nextState)
          );
        }
        oldProps = c.props;
        oldState = c.state;
        c._vnode = newVNode;
        if (isNew) {
          if (isClassComponent && newType.getDerivedStateFromProps == NULL && c.componentWillMount != NULL) {
            c.componentWillMount();
          }
          if (isClassComponent && c.componentDidMount != NULL) {
            c._renderCallbacks.push(c.componentDidMount);
          }
        } else {
          if (isClassComponent && newType.getDerivedStateFromProps == NULL && newProps !== oldProps && c.componentWillReceiveProps != NULL) {
            c.componentWillReceiveProps(newProps, componentContext);
          }
          if (newVNode._original == oldVNode._original || !c._force && c.shouldComponentUpdate != NULL && c.shouldComponentUpdate(
            newProps,
            c._nextState,
            componentContext
          ) === false) {
            if (newVNode._original != oldVNode._original) {
              c.props = newProps;
              c.state = c._nextState;
              c._dirty = false;
            }
            newVNode._dom = oldVNode._dom;
            newVNode._children = oldVNode._children;
            newVNode._children.some((vnode) => {
              if (vnode) vnode._parent = newVNode;
            });
            EMPTY_ARR.push.apply(c._renderCallbacks, c._stateCallbacks);
            c._stateCallbacks = [];
            if (c._renderCallbacks.length) {
              commitQueue.push(c);
            }
            oldDom = getDomSibling(oldVNode);
            break outer;
          }
          if (c.componentWillUpdate != NULL) {
            c.componentWillUpdate(newProps, c._nextState, componentContext);
          }
          if (isClassComponent && c.componentDidUpdate != NULL) {
            c._renderCallbacks.push(() => {
              c.componentDidUpdate(oldProps, oldState, snapshot);
            });
          }
        }
        c.context = componentContext;
        c.props = newProps;
        c._parentDom = parentDom;
        c._force = false;
        let renderHook = options_default._render, count2 = 0;
        if (isClassComponent) {
          c.state = c._nextState;
          c._dirty = false;
          if (renderHook) renderHook(newVNode);
          tmp = c.render(c.props, c.state, c.context);
          EMPTY_ARR.push.apply(c._renderCallbacks, c._stateCallbacks);
          c._stateCallbacks = [];
        } else {
          do {
            c._dirty = false;
            if (renderHook) renderHook(newVNode);
            tmp = c.render(c.props, c.state, c.context);
            c.state = c._nextState;
          } while (c._dirty && ++count2 < 25);
        }
        c.state = c._nextState;
        if (c.getChildContext != NULL) {
          globalContext = assign(assign({}, globalContext), c.getChildContext());
        }
        if (isClassComponent && !isNew && c.getSnapshotBeforeUpdate != NULL) {
          snapshot = c.getSnapshotBeforeUpdate(oldProps, oldState);
        }
        let renderResult = tmp != NULL && tmp.type === Fragment && tmp.key == NULL ? cloneNode(tmp.props.children) : tmp;
        oldDom = diffChildren(
          parentDom,
          isArray(renderResult) ? renderResult : [renderResult],
          newVNode,
          oldVNode,
          globalContext,
          namespace,
          excessDomChildren,
          commitQueue,
          oldDom,
          isHydrating,
          refQueue
        );
        c.base = newVNode._dom;
        newVNode._flags &= RESET_MODE;
        if (c._renderCallbacks.length) {
          commitQueue.push(c);
        }
        if (clearProcessingException) {
          c._pendingError = c._processingException = NULL;
        }
      } catch (e) {
        commitQueue.length = oldCommitQueueLength;
        newVNode._original = NULL;
        if (isHydrating || excessDomChildren != NULL) {
          if (e.then) {
            newVNode._flags |= isHydrating ? MODE_HYDRATE | MODE_SUSPENDED : MODE_SUSPENDED;
            while (oldDom && oldDom.nodeType == 8 && oldDom.nextSibling) {
              oldDom = oldDom.nextSibling;
            }
            if (excessDomChildren != NULL) {
              excessDomChildren[excessDomChildren.indexOf(oldDom)] = NULL;
            }
            newVNode._dom = oldDom;
          } else if (excessDomChildren != NULL) {
            for (let i = excessDomChildren.length; i--; ) {
              removeNode(excessDomChildren[i]);
            }
          }
        } else {
          newVNode._dom = oldVNode._dom;
        }
        if (newVNode._children == NULL) {
          newVNode._children = oldVNode._children || [];
        }
        if (!e.then) markAsForce(newVNode);
        options_default._catchError(e, newVNode, oldVNode);
      }
    } else if (excessDomChildren == NULL && newVNode._original == oldVNode._original) {
      newVNode._children = oldVNode._children;
      newVNode._dom = oldVNode._dom;
    } else {
      oldDom = newVNode._dom = diffElementNodes(
        oldVNode._dom,
        newVNode,
        oldVNode,
        globalContext,
        namespace,
        excessDomChildren,
        commitQueue,
        isHydrating,
        refQueue
      );
    }
    if (tmp = options_default.diffed) tmp(newVNode);
    return newVNode._flags & MODE_SUSPENDED ? void 0 : oldDom;
  }
  function markAsForce(vnode) {
    if (vnode) {
      if (vnode._component) vnode._component._force = true;
      if (vnode._children) vnode._children.some(markAsForce);
    }
  }
  function commitRoot(commitQueue, root, refQueue) {
    for (let i = 0; i < refQueue.length; i++) {
      applyRef(refQueue[i], refQueue[++i], refQueue[++i]);
    }
    if (options_default._commit) options_default._commit(root, commitQueue);
    commitQueue.some((c) => {
      try {
        commitQueue = c._renderCallbacks;
        c._renderCallbacks = [];
        commitQueue.some((cb) => {
          cb.call(c);
        });
      } catch (e) {
        options_default._catchError(e, c._vnode);
      }
    });
  }
  function cloneNode(node) {
    if (typeof node != "object" || node == NULL || node._depth > 0) {
      return node;
    }
    if (isArray(node)) {
      return node.map(cloneNode);
    }
    if (node.constructor !== UNDEFINED) return null;
    return assign({}, node);
  }
  function diffElementNodes(dom, newVNode, oldVNode, globalContext, namespace, excessDomChildren, commitQueue, isHydrating, refQueue) {
    let oldProps = oldVNode.props || EMPTY_OBJ;
    let newProps = newVNode.props;
    let nodeType = (
      /** @type {string} */
      newVNode.type
    );
    let i;
    let newHtml;
    let oldHtml;
    let newChildren;
    let value;
    let inputValue;
    let checked;
    if (nodeType == "svg") namespace = SVG_NAMESPACE;
    else if (nodeType == "math") namespace = MATH_NAMESPACE;
    else if (!namespace) namespace = XHTML_NAMESPACE;
    if (excessDomChildren != NULL) {
      for (i = 0; i < excessDomChildren.length; i++) {
        value = excessDomChildren[i];
        if (value && "setAttribute" in value == !!nodeType && (nodeType ? value.localName == nodeType : value.nodeType == 3)) {
          dom = value;
          excessDomChildren[i] = NULL;
          break;
        }
      }
    }
    if (dom == NULL) {
      if (nodeType == NULL) {
        return document.createTextNode(newProps);
      }
      dom = document.createElementNS(
        namespace,
        nodeType,
        newProps.is && newProps
      );
      if (isHydrating) {
        if (options_default._hydrationMismatch)
          options_default._hydrationMismatch(newVNode, excessDomChildren);
        isHydrating = false;
      }
      excessDomChildren = NULL;
    }
    if (nodeType == NULL) {
      if (oldProps !== newProps && (!isHydrating || dom.data != newProps)) {
        dom.data = newProps;
      }
    } else {
      excessDomChildren = nodeType == "textarea" && newProps.defaultValue != NULL ? NULL : excessDomChildren && slice.call(dom.childNodes);
      if (!isHydrating && excessDomChildren != NULL) {
        oldProps = {};
        for (i = 0; i < dom.attributes.length; i++) {
          value = dom.attributes[i];
          oldProps[value.name] = value.value;
        }
      }
      for (i in oldProps) {
        value = oldProps[i];
        if (i == "dangerouslySetInnerHTML") {
          oldHtml = value;
        } else if (i != "children" && !(i in newProps) && !(i == "value" && "defaultValue" in newProps) && !(i == "checked" && "defaultChecked" in newProps)) {
          setProperty(dom, i, NULL, value, namespace);
        }
      }
      for (i in newProps) {
        value = newProps[i];
        if (i == "children") {
          newChildren = value;
        } else if (i == "dangerouslySetInnerHTML") {
          newHtml = value;
        } else if (i == "value") {
          inputValue = value;
        } else if (i == "checked") {
          checked = value;
        } else if ((!isHydrating || typeof value == "function") && oldProps[i] !== value) {
          setProperty(dom, i, value, oldProps[i], namespace);
        }
      }
      if (newHtml) {
        if (!isHydrating && (!oldHtml || newHtml.__html != oldHtml.__html && newHtml.__html != dom.innerHTML)) {
          dom.innerHTML = newHtml.__html;
        }
        newVNode._children = [];
      } else {
        if (oldHtml) dom.innerHTML = "";
        diffChildren(
          // @ts-expect-error
          newVNode.type == "template" ? dom.content : dom,
          isArray(newChildren) ? newChildren : [newChildren],
          newVNode,
          oldVNode,
          globalContext,
          nodeType == "foreignObject" ? XHTML_NAMESPACE : namespace,
          excessDomChildren,
          commitQueue,
          excessDomChildren ? excessDomChildren[0] : oldVNode._children && getDomSibling(oldVNode, 0),
          isHydrating,
          refQueue
        );
        if (excessDomChildren != NULL) {
          for (i = excessDomChildren.length; i--; ) {
            removeNode(excessDomChildren[i]);
          }
        }
      }
      if (!isHydrating || nodeType == "textarea") {
        i = "value";
        if (nodeType == "progress" && inputValue == NULL) {
          dom.removeAttribute("value");
        } else if (inputValue != UNDEFINED && // #2756 For the <progress>-element the initial value is 0,
        // despite the attribute not being present. When the attribute
        // is missing the progress bar is treated as indeterminate.
        // To fix that we'll always update it when it is 0 for progress elements
        (inputValue !== dom[i] || nodeType == "progress" && !inputValue || // This is only for IE 11 to fix <select> value not being updated.
        // To avoid a stale select value we need to set the option.value
        // again, which triggers IE11 to re-evaluate the select value
        nodeType == "option" && inputValue != oldProps[i])) {
          setProperty(dom, i, inputValue, oldProps[i], namespace);
        }
        i = "checked";
        if (checked != UNDEFINED && checked != dom[i]) {
          setProperty(dom, i, checked, oldProps[i], namespace);
        }
      }
    }
    return dom;
  }
  function applyRef(ref, value, vnode) {
    try {
      if (typeof ref == "function") {
        let hasRefUnmount = typeof ref._unmount == "function";
        if (hasRefUnmount) {
          ref._unmount();
        }
        if (!hasRefUnmount || value != NULL) {
          ref._unmount = ref(value);
        }
      } else ref.current = value;
    } catch (e) {
      options_default._catchError(e, vnode);
    }
  }
  function unmount(vnode, parentVNode, skipRemove) {
    let r;
    if (options_default.unmount) options_default.unmount(vnode);
    if (r = vnode.ref) {
      if (!r.current || r.current == vnode._dom) {
        applyRef(r, NULL, parentVNode);
      }
    }
    if ((r = vnode._component) != NULL) {
      if (r.componentWillUnmount) {
        try {
          r.componentWillUnmount();
        } catch (e) {
          options_default._catchError(e, parentVNode);
        }
      }
      r.base = r._parentDom = r._globalContext = NULL;
    }
    if (r = vnode._children) {
      for (let i = 0; i < r.length; i++) {
        if (r[i]) {
          unmount(
            r[i],
            parentVNode,
            skipRemove || typeof vnode.type != "function"
          );
        }
      }
    }
    if (!skipRemove) {
      removeNode(vnode._dom);
    }
    vnode._component = vnode._parent = vnode._dom = UNDEFINED;
  }
  function doRender(props, state, context) {
    return this.constructor(props, context);
  }

  // vendor/preact/hooks/index.js
  var currentIndex;
  var currentComponent;
  var previousComponent;
  var afterPaintEffects = [];
  var options2 = (
    /** @type {import('./internal').Options} */
    options_default
  );
  var oldBeforeDiff = options2._diff;
  var oldBeforeRender = options2._render;
  var oldAfterDiff = options2.diffed;
  var oldCommit = options2._commit;
  var oldBeforeUnmount = options2.unmount;
  var oldRoot = options2._root;
  var RAF_TIMEOUT = 35;
  var prevRaf;
  options2._diff = (vnode) => {
    currentComponent = null;
    if (oldBeforeDiff) oldBeforeDiff(vnode);
  };
  options2._root = (vnode, parentDom) => {
    if (vnode && parentDom._children && parentDom._children._mask) {
      vnode._mask = parentDom._children._mask;
    }
    if (oldRoot) oldRoot(vnode, parentDom);
  };
  options2._render = (vnode) => {
    if (oldBeforeRender) oldBeforeRender(vnode);
    currentComponent = vnode._component;
    currentIndex = 0;
    const hooks = currentComponent.__hooks;
    if (hooks) {
      if (previousComponent === currentComponent) {
        hooks._pendingEffects = [];
        currentComponent._renderCallbacks = [];
        hooks._list.some((hookItem) => {
          if (hookItem._nextValue) {
            hookItem._value = hookItem._nextValue;
          }
          hookItem._pendingArgs = hookItem._nextValue = void 0;
        });
      } else {
        hooks._pendingEffects.some(invokeCleanup);
        hooks._pendingEffects.some(invokeEffect);
        hooks._pendingEffects = [];
        currentIndex = 0;
      }
    }
    previousComponent = currentComponent;
  };
  options2.diffed = (vnode) => {
    if (oldAfterDiff) oldAfterDiff(vnode);
    const c = vnode._component;
    if (c && c.__hooks) {
      if (c.__hooks._pendingEffects.length) afterPaint(afterPaintEffects.push(c));
      c.__hooks._list.some((hookItem) => {
        if (hookItem._pendingArgs) {
          hookItem._args = hookItem._pendingArgs;
          hookItem._pendingArgs = void 0;
        }
      });
    }
    previousComponent = currentComponent = null;
  };
  options2._commit = (vnode, commitQueue) => {
    commitQueue.some((component) => {
      try {
        component._renderCallbacks.some(invokeCleanup);
        component._renderCallbacks = component._renderCallbacks.filter(
          (cb) => cb._value ? invokeEffect(cb) : true
        );
      } catch (e) {
        commitQueue.some((c) => {
          if (c._renderCallbacks) c._renderCallbacks = [];
        });
        commitQueue = [];
        options2._catchError(e, component._vnode);
      }
    });
    if (oldCommit) oldCommit(vnode, commitQueue);
  };
  options2.unmount = (vnode) => {
    if (oldBeforeUnmount) oldBeforeUnmount(vnode);
    const c = vnode._component;
    if (c && c.__hooks) {
      let hasErrored;
      c.__hooks._list.some((s) => {
        try {
          invokeCleanup(s);
        } catch (e) {
          hasErrored = e;
        }
      });
      c.__hooks = void 0;
      if (hasErrored) options2._catchError(hasErrored, c._vnode);
    }
  };
  function flushAfterPaintEffects() {
    let component;
    while (component = afterPaintEffects.shift()) {
      const hooks = component.__hooks;
      if (!component._parentDom || !hooks) continue;
      try {
        hooks._pendingEffects.some(invokeCleanup);
        hooks._pendingEffects.some(invokeEffect);
        hooks._pendingEffects = [];
      } catch (e) {
        hooks._pendingEffects = [];
        options2._catchError(e, component._vnode);
      }
    }
  }
  var HAS_RAF = typeof requestAnimationFrame == "function";
  function afterNextFrame(callback) {
    const done = () => {
      clearTimeout(timeout);
      if (HAS_RAF) cancelAnimationFrame(raf);
      setTimeout(callback);
    };
    const timeout = setTimeout(done, RAF_TIMEOUT);
    let raf;
    if (HAS_RAF) {
      raf = requestAnimationFrame(done);
    }
  }
  function afterPaint(newQueueLength) {
    if (newQueueLength === 1 || prevRaf !== options2.requestAnimationFrame) {
      prevRaf = options2.requestAnimationFrame;
      (prevRaf || afterNextFrame)(flushAfterPaintEffects);
    }
  }
  function invokeCleanup(hook) {
    const comp = currentComponent;
    let cleanup = hook._cleanup;
    if (typeof cleanup == "function") {
      hook._cleanup = void 0;
      cleanup();
    }
    currentComponent = comp;
  }
  function invokeEffect(hook) {
    const comp = currentComponent;
    hook._cleanup = hook._value();
    currentComponent = comp;
  }

  // view/charts.tsx
  var thin = (n) => n >= 1e4 ? `${Math.round(n / 1e3)}k` : n >= 1e3 ? `${(n / 1e3).toFixed(1)}k` : String(n);
  function ticksFor(low, top) {
    const raw = (top - low || Math.abs(top) || 1) / 3;
    const power = 10 ** Math.floor(Math.log10(raw));
    const step = [1, 2, 2.5, 5, 10].map((m) => m * power).find((s) => s >= raw - 1e-12) ?? power * 10;
    const first = Math.floor(low / step + 1e-9);
    const last = Math.ceil(top / step - 1e-9);
    return Array.from({ length: last - first + 1 }, (_, i) => Number(((first + i) * step).toPrecision(12)));
  }
  function digitsFor(values) {
    for (let digits2 = 0; digits2 < 6; digits2++) if (values.every((value) => Math.abs(Number(value.toFixed(digits2)) - value) < 1e-9)) return digits2;
    return 6;
  }
  function spread(ys) {
    const order2 = ys.map((_, i) => i).sort((a, b) => ys[a] - ys[b]);
    const out = [...ys];
    for (let k = 1; k < order2.length; k++) out[order2[k]] = Math.max(out[order2[k]], out[order2[k - 1]] + 14);
    return out;
  }

  // view/charts.test.ts
  test("ticks are round, hold the range, and are told apart", () => {
    for (const [low, top] of [[0.3, 0.49], [0.91, 0.945], [0, 0.62], [-1.84, -1.18], [5, 5]]) {
      const ticks = ticksFor(low, top);
      holds(ticks[0] <= low + 1e-9 && ticks.at(-1) >= top - 1e-9, `${ticks} does not hold ${low} to ${top}`);
      holds(ticks.length >= 1 && ticks.length <= 6, `${ticks.length} ticks`);
      equal(new Set(ticks.map((tick) => tick.toFixed(digitsFor(ticks)))).size, ticks.length, `${ticks}`);
    }
    equal(ticksFor(0.65, 0.84).map((tick) => tick.toFixed(digitsFor([0.6, 0.7]))), ["0.6", "0.7", "0.8", "0.9"]);
  });
  test("labels keep their distance, counts are short", () => {
    equal(spread([50, 52, 90]), [50, 64, 90]);
    equal([90, 6200, 53334].map(thin), ["90", "6.2k", "53k"]);
  });

  // logic/all.test.ts
  window.unitTests = runAll;
})();
