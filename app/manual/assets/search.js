// The search of the documents: every word has to be in a heading, its page's title, or the text below it; headings count more.
(() => {
  const form = document.getElementById("search"), input = document.getElementById("words"), box = document.getElementById("found");
  const list = document.getElementById("hits"), count = document.getElementById("count"), base = form.dataset.base;
  const menu = document.getElementById("menu"), here = document.getElementById("here");
  if (matchMedia("(min-width: 900px)").matches) {
    menu.open = true;
    const side = menu.parentElement, current = side.querySelector("[aria-current]");
    if (current) side.scrollTop = current.offsetTop - side.clientHeight / 2; // the page's own name is in sight
  }
  if (here && matchMedia("(min-width: 1200px)").matches) here.open = true;

  let entries;
  const load = () => (entries ??= fetch(base + "search.json").then((answer) => answer.json()).then((all) => all.map((e) => ({
    ...e, title: (e.page + " " + e.heading).toLowerCase(), lower: e.text.toLowerCase(),
  }))));
  const worth = (e, words) => words.reduce((sum, w) => sum + (e.heading.toLowerCase().includes(w) ? 8 : e.title.includes(w) ? 4 : 1), 0);

  const excerpt = (e, words) => {
    const at = words.map((w) => e.lower.indexOf(w)).find((i) => i >= 0) ?? 0, from = Math.max(0, at - 60);
    return (from > 0 ? "…" : "") + e.text.slice(from, from + 160);
  };
  const marked = (text, words) => {
    const parts = document.createDocumentFragment(), lower = text.toLowerCase();
    for (let i = 0; i < text.length;) {
      const next = words.map((w) => [lower.indexOf(w, i), w.length]).filter(([at]) => at >= 0).sort((a, b) => a[0] - b[0])[0];
      if (!next) { parts.append(text.slice(i)); break; }
      const mark = document.createElement("mark");
      mark.textContent = text.slice(next[0], next[0] + next[1]);
      parts.append(text.slice(i, next[0]), mark);
      i = next[0] + next[1];
    }
    return parts;
  };

  const show = async () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    box.hidden = words.length === 0;
    if (box.hidden) return;
    let all;
    try { all = await load(); } catch { entries = undefined; count.textContent = "The search cannot be loaded now."; list.replaceChildren(); return; }
    const hits = all.filter((e) => words.every((w) => e.title.includes(w) || e.lower.includes(w))).map((e) => [worth(e, words), e]).sort((a, b) => b[0] - a[0]);
    count.textContent = hits.length === 0 ? "Nothing has all of these words." : hits.length > 12 ? `The first 12 of ${hits.length}` : `${hits.length} found`;
    list.replaceChildren(...hits.slice(0, 12).map(([, e]) => {
      const item = document.createElement("li"), link = document.createElement("a"), title = document.createElement("b"), text = document.createElement("span");
      link.href = base + e.path;
      title.append(marked(e.heading === e.page ? e.page : `${e.page}: ${e.heading}`, words));
      text.append(marked(excerpt(e, words), words));
      link.append(title, text);
      item.append(link);
      return item;
    }));
  };
  input.addEventListener("focus", load);
  input.addEventListener("input", show);
  form.addEventListener("submit", (event) => { event.preventDefault(); list.querySelector("a")?.click(); });
  form.addEventListener("keydown", (event) => {
    if (event.key === "Escape") { input.value = ""; box.hidden = true; input.focus(); return; }
    const all = [input, ...list.querySelectorAll("a")], at = all.indexOf(document.activeElement);
    const next = { ArrowDown: at + 1, ArrowUp: at - 1 }[event.key];
    if (next !== undefined && all[next]) { event.preventDefault(); all[next].focus(); }
  });
  document.addEventListener("click", (event) => { if (!form.contains(event.target)) box.hidden = true; });
  document.addEventListener("keydown", (event) => { if (event.key === "/" && document.activeElement !== input) { event.preventDefault(); input.focus(); } });
})();
