/* What the site can do beyond being read: colours by choice, sorting, filtering, searching, comparing.
   Everything it works on is in the page already; without it nothing is missing. No request is made. */
"use strict";
(function () {
  var root = document.documentElement;
  var store = {
    get: function () { try { return localStorage.getItem("fpreport-theme"); } catch (e) { return null; } },
    set: function (v) { try { if (v) localStorage.setItem("fpreport-theme", v); else localStorage.removeItem("fpreport-theme"); } catch (e) { /* private window */ } }
  };
  function paint(theme) {
    if (theme === "light" || theme === "dark") root.dataset.theme = theme;
    else delete root.dataset.theme;
  }
  paint(store.get()); // before the body is drawn: no flash

  function make(tag, attributes, text) {
    var e = document.createElement(tag);
    for (var k in attributes) e.setAttribute(k, attributes[k]);
    if (text !== undefined) e.textContent = text;
    return e;
  }
  /* A text of ours: {m}, {n}, and of {n|row|rows} the first where n is 1. */
  function fill(text, n, m) {
    return text.replace(/\{n\|([^|}]*)\|([^}]*)\}/g, n === 1 ? "$1" : "$2").replace("{n}", n).replace("{m}", m);
  }
  function all(selector, from) { return Array.prototype.slice.call((from || document).querySelectorAll(selector)); }

  /* ---- colours: each click changes them; those of the system are not kept as a choice ---- */
  function themes() {
    var dark = matchMedia("(prefers-color-scheme: dark)"), signs = { auto: "◐", light: "○", dark: "●" };
    all("button.theme").forEach(function (b) {
      function say() {
        var now = root.dataset.theme || "auto";
        b.textContent = signs[now];
        b.title = b.dataset[now];
        b.setAttribute("aria-label", b.title);
      }
      b.hidden = false;
      say();
      b.addEventListener("click", function () {
        var system = dark.matches ? "dark" : "light", next = (root.dataset.theme || system) === "dark" ? "light" : "dark";
        if (next === system) next = "";
        store.set(next);
        paint(next);
        say();
      });
    });
  }

  var asked = new URLSearchParams(location.search), kept = {};

  /* ---- sorting: within a body, so that states stay apart; a figure only among rows that may be
     compared, and in one unit, so that no order goes over different work: where others begin is a
     line. What has no value is behind all that have one. A number is what the verifier read, which
     the build wrote beside it. ---- */
  function value(row, i) {
    var cell = row.cells[i], number = cell && cell.querySelector(".value");
    if (cell && cell.classList.contains("number")) return cell.dataset.v ? +cell.dataset.v : null;
    return (number || cell || { textContent: "" }).textContent.trim();
  }
  function compare(a, b) {
    if (a === null || b === null) return (a === null) - (b === null);
    return typeof a === "number" ? a - b : a.localeCompare(b, root.lang);
  }
  /* A unit of its own; "= 41.6 %" is how the figure was read, in the unit of the others. */
  function unit(cell) {
    var u = cell.querySelector(".unit");
    return u && u.textContent[0] !== "=" ? u.textContent : "";
  }
  function apart(row, i) {
    return (row.dataset.group || "") + "\n" + unit(row.cells[i]);
  }
  /* Where, among what is shown, rows begin that may not be compared with those before. */
  function divide(table) {
    all("tbody", table).forEach(function (body) {
      var before = null;
      all("tr:not(.group)", body).forEach(function (row) {
        row.classList.toggle("begins", !row.hidden && before !== null && row.among !== before.among);
        if (!row.hidden) before = row;
      });
    });
  }
  function sort(table, i, down) {
    var heads = all("thead th", table), figure = heads[i].classList.contains("figure");
    all("tbody", table).forEach(function (body) {
      all("tr:not(.group)", body).map(function (row, k) { return { row: row, v: value(row, i), k: k, group: figure ? apart(row, i) : "" }; })
        .sort(function (x, y) {
          if (x.v === null || y.v === null) return compare(x.v, y.v) || x.k - y.k;
          if (x.group !== y.group) return x.group < y.group ? -1 : 1;
          return (down ? -1 : 1) * compare(x.v, y.v) || x.k - y.k;
        })
        .forEach(function (x) { body.appendChild(x.row); x.row.among = figure ? x.v === null ? "" : x.group : null; });
    });
    divide(table);
    heads.forEach(function (th, k) {
      if (k === i) th.setAttribute("aria-sort", down ? "descending" : "ascending");
      else th.removeAttribute("aria-sort");
    });
    table.order.value = (down ? "-" : "") + heads[i].dataset.key;
  }
  function sortable(table, i, tables) {
    var heads = all("thead th", table), alone = tables.length === 1, from = /^(-?)(\w+)$/.exec(asked.get("sort") || "");
    var at = from ? heads.map(function (th) { return th.dataset.key; }).indexOf(from[2]) : -1;
    /* Where rows are cards their heads are not shown: a list says the same, and is shown there only. */
    var label = make("label", { "class": "sorting" }, table.dataset.sort + " "), order = table.order = make("select", {});
    function choose(i, down) {
      sort(table, i, down);
      if (alone) address({ sort: order.value });
    }
    order.appendChild(make("option", { value: "", disabled: "", selected: "" }, "–"));
    order.addEventListener("change", function () {
      var at = order.options[order.selectedIndex];
      choose(+at.dataset.column, at.value[0] === "-");
    });
    label.appendChild(order);
    if (table.rows.length > 3) table.parentNode.parentNode.insertBefore(label, table.parentNode); // a head, a state, a row
    heads.forEach(function (th, i) {
      var button = make("button", { type: "button" });
      var name = all("abbr", th).reduce(function (t, e) { return t.replace(e.textContent, ""); }, th.textContent).trim();
      ["-", ""].forEach(function (sign) {
        order.appendChild(make("option", { value: sign + th.dataset.key, "data-column": i }, name + ", " + (sign ? table.dataset.down : table.dataset.up)));
      });
      while (th.firstChild) button.appendChild(th.firstChild);
      th.appendChild(button);
      button.addEventListener("click", function () {
        var was = th.getAttribute("aria-sort");
        var down = was ? was === "ascending" : th.dataset.first ? th.dataset.first === "down" : th.classList.contains("number");
        choose(i, down);
      });
    });
    if (!alone || !asked.has("sort")) return;
    if (at >= 0) choose(at, from[1] === "-");
    else address({ sort: "" });
  }

  /* ---- filtering: the address holds only what is not the default ---- */
  function fold(text) { return text.normalize("NFKC").toLowerCase(); }
  function words(text) { return text.toLowerCase().split(/\s+/).filter(Boolean); }
  function holds(text, wanted) { return wanted.every(function (w) { return text.indexOf(w) >= 0; }); }
  function address(state) {
    var q = new URLSearchParams(), k, s;
    for (k in state) kept[k] = state[k];
    for (k in kept) if (kept[k]) q.set(k, kept[k]);
    s = q.toString().replace(/%2F/g, "/").replace(/%2C/g, ",").replace(/%3A/g, ":");
    try { history.replaceState(null, "", location.pathname + (s ? "?" + s : "") + location.hash); } catch (e) { /* file: */ }
    tongues(s);
  }
  /* The same page in the other language shows the same rows. */
  function tongues(query) {
    all("header a[hreflang]").forEach(function (a) { a.search = query; });
  }
  function options(rows, key) {
    var seen = Object.create(null);
    rows.forEach(function (r) { var v = key === "state" ? r.parentNode.dataset.state : r.dataset[key]; if (v) seen[v] = 1; });
    return Object.keys(seen).sort();
  }
  /* What a reader knows it by: the first words in its place of the table. */
  function called(table, key, v) {
    var e = key === "state" ? table.querySelector('tbody[data-state="' + v + '"] .state') :
      key === "vendor" ? table.querySelector('tr[data-vendor="' + v + '"] .by') :
      key === "accelerator" ? table.querySelector('tr[data-accelerator="' + v + '"] td') : null;
    return !e ? v : key === "state" ? e.lastChild.textContent.trim() : e.firstChild.textContent.replace(/[ ·]+$/, "");
  }
  function filterable(table) {
    var rows = all("tbody tr:not(.group)", table);
    if (rows.length < 2) return;
    var text = rows.map(function (r) { return fold([r.textContent, r.dataset.also, r.dataset.vendor].join(" ")); });
    var state = { q: "", state: "", vendor: "", model: "", accelerator: "" };
    var bar = make("div", { "class": "filters", role: "search" });
    var none = make("p", { hidden: "", role: "status" }, table.dataset.none), inputs = {}, count = make("span", { role: "status" });
    /* What the page says of all rows, or how many of them are left. */
    function tell(e, n, of) {
      e.all = e.all || e.textContent;
      e.textContent = reset.hidden || n === of ? e.all : fill(table.dataset.count, n, of);
    }
    function apply() {
      var wanted = words(fold(state.q)), shown = 0;
      rows.forEach(function (r, i) {
        var ok = holds(text[i], wanted) && (!state.state || r.parentNode.dataset.state === state.state) &&
          ["vendor", "model", "accelerator"].every(function (k) { return !state[k] || r.dataset[k] === state[k]; });
        r.hidden = !ok;
        shown += ok;
      });
      reset.hidden = !Object.keys(state).some(function (k) { return state[k]; });
      all("tbody", table).forEach(function (b) {
        var own = all("tr:not(.group)", b), left = own.filter(function (r) { return !r.hidden; }).length;
        b.hidden = !left;
        tell(b.querySelector(".group .count"), left, own.length);
      });
      divide(table);
      none.hidden = shown > 0;
      tell(table.caption.querySelector(".count"), shown, rows.length);
      count.textContent = reset.hidden || !shown ? "" : fill(table.dataset.count, shown, rows.length);
      address(state);
    }
    function control(key, element, label) {
      var l = make("label", {}, label + " ");
      state[key] = asked.get(key) || "";
      element.value = state[key];
      if (element.value !== state[key]) state[key] = "";
      element.addEventListener("input", function () { state[key] = element.value.trim(); apply(); });
      inputs[key] = element;
      l.appendChild(element);
      bar.appendChild(l);
    }
    var reset = make("button", { type: "button", hidden: "" }, table.dataset.reset);
    reset.addEventListener("click", function () {
      for (var k in inputs) { inputs[k].value = ""; state[k] = ""; }
      apply();
    });
    control("q", make("input", { type: "search" }), table.dataset.filter);
    [["state", table.dataset.state], ["vendor", table.dataset.vendor], ["model", table.dataset.model], ["accelerator", table.dataset.accelerator]].forEach(function (f) {
      var values = options(rows, f[0]);
      if (values.length < 2) return;
      var select = make("select", {});
      select.appendChild(make("option", { value: "" }, table.dataset.any));
      values.forEach(function (v) { select.appendChild(make("option", { value: v }, called(table, f[0], v))); });
      control(f[0], select, f[1]);
    });
    bar.appendChild(reset);
    bar.appendChild(count);
    /* On a telephone results come first: what filters is folded until it is asked for, or does. */
    var folded = make("details", { "class": "filtering" }), wide = matchMedia("(min-width: 44.01rem)");
    folded.appendChild(make("summary", {}, table.dataset.filter));
    folded.appendChild(bar);
    folded.open = wide.matches || Object.keys(state).some(function (k) { return state[k]; });
    wide.addEventListener("change", function () { folded.open = folded.open || wide.matches; });
    table.parentNode.parentNode.insertBefore(folded, table.parentNode);
    table.parentNode.appendChild(none);
    apply();
  }

  /* ---- rules: those that say all words, under the headings that still have any ---- */
  function choosing(place) {
    var sections = all("section", place).map(function (e) {
      return { e: e, items: all("article", e).map(function (a) { return { e: a, text: fold(e.querySelector("h2").textContent + " " + a.textContent) }; }) };
    });
    var bar = make("div", { "class": "filters", role: "search" }), label = make("label", {}, place.dataset.filter + " ");
    var input = make("input", { type: "search" }), none = make("p", { hidden: "", role: "status" }, place.dataset.none), were = false;
    function open(from, is) { all("details", from).forEach(function (d) { d.open = is; }); }
    function apply() {
      var wanted = words(fold(input.value)), shown = 0;
      sections.forEach(function (s) {
        var here = s.items.filter(function (i) { i.e.hidden = !holds(i.text, wanted); return !i.e.hidden; }).length;
        s.e.hidden = !here;
        shown += here;
      });
      none.hidden = shown > 0;
      if (were !== wanted.length > 0) open(place, were = !were);
      address({ q: input.value.trim() });
    }
    input.value = asked.get("q") || "";
    input.addEventListener("input", apply);
    /* A rule that is asked for by its name is shown, whatever the filter says. */
    function aim() {
      var target = document.getElementById(location.hash.slice(1));
      if (target && !target.checkVisibility()) { input.value = ""; apply(); target.scrollIntoView(); }
      if (target && target.localName === "article") open(target, true);
    }
    window.addEventListener("hashchange", aim);
    label.appendChild(input);
    bar.appendChild(label);
    place.parentNode.insertBefore(bar, place);
    place.parentNode.insertBefore(none, place);
    apply();
    aim();
  }

  /* ---- search: what is there is there, to the character. Pages stand in the list; results are lines
     of text (renderer/site_search.c), and only the first that are found become elements. ---- */
  var SHOWN = 100;
  function read(text) {
    var parts = text.split("\n\n").map(function (p) { return p.split("\n").filter(Boolean).map(function (l) { return l.split("\t"); }); }), title = [];
    function about(i) { return i === "" ? [] : parts[1][i]; }
    return (parts[2] || []).map(function (r) {
      var vendor = about(r[0]), state = parts[0][r[2]], model = about(r[3]), card = about(r[4]);
      if (r[6] !== "\"") title = r.slice(6);
      var name = vendor[1] + " · " + r[1], path = vendor[0] + "/" + r[1];
      return { path: path, name: name, model: model[0], state: state, order: +r[2], head: fold(name + " " + path + " " + vendor.join(" ")),
        more: [vendor[0], title[0], model[1], card[1]].filter(Boolean).join(" · "),
        text: fold([name, path].concat(vendor, model, card, title, state, r[5].split(" ").map(about).map(String)).join("\n")) };
    });
  }
  /* The name itself, its beginning, a part of it, or only what else is said of it. */
  function rank(names, asked) {
    return Math.min.apply(null, names.map(function (n) { return n === asked ? 0 : n.indexOf(asked) === 0 ? 1 : n.indexOf(asked) > 0 ? 2 : 3; }));
  }
  function search(box) {
    var main = document.querySelector("main"), pages = main.querySelector(".found.pages"), list = main.querySelector(".found.results");
    var items = all("li", pages).map(function (e, k) {
      var names = all("a, .other, .more", e).map(function (n) { return fold(n.textContent); }).join(" · ").split(" · ");
      return { e: e, k: k, names: names, text: fold(e.textContent + " " + (e.dataset.also || "")) };
    });
    var results = read(main.querySelector("template.lines").content.textContent);
    var label = make("label", {}, box.dataset.label + " "), input = make("input", { type: "search", autocomplete: "off" });
    var status = make("span", { role: "status" });
    input.value = asked.get("q") || "";
    var place = main.querySelector(".compare-any");
    var rest = main.querySelector("p.more");
    place.models = Object.create(null);
    results.forEach(function (r) { place.models[r.path] = r.model; });
    place.show();
    function line(r) {
      var li = make("li", {}), state = make("span", { "class": "state " + r.state[0] });
      if (r.state[0] !== "removed") li.appendChild(place.picks(r.path, r.name));
      li.appendChild(make("a", { href: document.body.dataset.root + "result/" + r.path + "/index.html" }, r.name));
      state.appendChild(make("i", { "aria-hidden": "true" }, r.state[1]));
      state.appendChild(document.createTextNode(" " + r.state[2]));
      [state, make("span", { "class": "more" }, r.more)].forEach(function (e) { li.appendChild(document.createTextNode(" ")); li.appendChild(e); });
      return li;
    }
    function apply() {
      var text = fold(input.value).trim(), wanted = words(text.replace(/\b(\d+) (card|node)s?\b/g, "#$1$2"));
      items.forEach(function (i) { i.hit = holds(i.text, wanted); i.e.hidden = !i.hit; i.rank = wanted.length ? rank(i.names, text) : 0; });
      items.slice().sort(function (a, b) { return a.rank - b.rank || a.k - b.k; }).forEach(function (i) { pages.appendChild(i.e); });
      pages.hidden = pages.previousElementSibling.hidden = !items.some(function (i) { return i.hit; });
      var hits = wanted.length ? results.filter(function (r) { return holds(r.text, wanted); }) : [];
      hits = hits.map(function (r, k) { return { r: r, k: k, far: holds(r.head, wanted) ? 0 : 1 }; })
        .sort(function (a, b) { return a.r.order - b.r.order || a.far - b.far || a.k - b.k; });
      list.textContent = "";
      hits.slice(0, SHOWN).forEach(function (h) { list.appendChild(line(h.r)); });
      list.hidden = !hits.length;
      rest.hidden = wanted.length > 0; // all rows are not what was found
      rest.previousElementSibling.hidden = rest.hidden && !hits.length;
      var n = hits.length + items.filter(function (i) { return i.hit; }).length;
      status.textContent = !wanted.length ? "" : !n ? box.dataset.none :
        n + " " + box.dataset.count + (hits.length > SHOWN ? " " + fill(box.dataset.more, hits.length, SHOWN) : "");
      address({ q: input.value.trim() });
    }
    input.addEventListener("input", apply);
    label.appendChild(input);
    box.appendChild(label);
    box.appendChild(status);
    apply();
    input.focus();
  }

  /* ---- any rows side by side: columns of their tables, turned. Which they are is in the address
     (?compare=vendor/case:1.2-3f2a91c0,…: place and key, base/row_key.h), so that it can be sent, kept and
     gone back to; the first is what the others are measured by. Rows that may not be compared stand beside each other as well, and what they
     differ in is said in place of a factor. Nothing is put in an order. ---- */
  function comparing(place) {
    var say = place.dataset, rows = Object.create(null), kinds = say.criteria.split("\t"), bar = make("aside", { "class": "picked", "aria-label": say.title, hidden: "" });
    var wanted = (asked.get("compare") || "").split(",").filter(Boolean), chosen = [];
    function toggle(key, on) {
      chosen = chosen.filter(function (k) { return k !== key; });
      if (on) chosen.push(key);
    }
    /* A box for what is called so; its page does not move when the comparison above it grows. */
    function box(key, name) {
      var label = make("label", { "class": "pick", "data-word": say.pick }), input = make("input", { type: "checkbox", "aria-label": say.pick + ": " + name });
      input.checked = chosen.indexOf(key) >= 0;
      input.addEventListener("change", function () {
        var top = input.getBoundingClientRect().top;
        toggle(key, input.checked);
        show();
        scrollBy(0, input.getBoundingClientRect().top - top);
      });
      label.appendChild(input);
      return label;
    }
    function button(text, name, act) {
      var b = make("button", { type: "button" }, text);
      if (name) b.setAttribute("aria-label", text + ": " + name);
      b.addEventListener("click", act);
      return b;
    }
    function clear() {
      var first = chosen[0];
      chosen = [];
      show();
      if (rows[first]) rows[first].box.focus();
    }
    function put(cell, nodes) {
      nodes.forEach(function (n) { cell.appendChild(n.cloneNode(true)); cell.appendChild(document.createTextNode(" ")); });
      return cell;
    }
    /* What the verifier read; null: no one value. */
    function figure(cell) {
      return cell && cell.dataset.v ? { n: +cell.dataset.v, like: (cell.dataset.form || "") + unit(cell), wrong: "wrong" in cell.dataset } : null;
    }
    function factor(f) { return (Math.abs(f - 1) < 0.1 ? f.toFixed(3) : f < 100 ? f.toPrecision(3) : Math.round(f)) + "×"; }
    function alike(a, b) { return a.group === b.group; }
    function head(r, i) {
      var th = make("th", { scope: "col" }), tools = make("span", { "class": "columntools" });
      put(th, r.head).appendChild(r.state.cloneNode(true));
      all("a", th).slice(0, 1).forEach(function (a) { // names of cases may break behind '_'
        var parts = a.textContent.match(/[^_]*_|[^_]+/g) || [];
        a.textContent = "";
        parts.forEach(function (p) { a.append(p, make("wbr", {})); });
      });
      if (i) tools.appendChild(button(say.base, r.name, function () { chosen.unshift(chosen.splice(i, 1)[0]); show(); }));
      else tools.appendChild(make("strong", {}, say.isbase));
      tools.appendChild(button("✕", say.drop + ": " + r.name, function () { toggle(r.key); show(); if (chosen.length > 1) place.querySelector("h2").focus(); else r.box.focus(); }));
      th.appendChild(tools);
      return th;
    }
    function line(t, nodes, cells, name) {
      var tr = make("tr", name ? { "class": name } : {});
      tr.appendChild(put(make("th", { scope: "row" }), nodes));
      cells.forEach(function (c) { tr.appendChild(c); });
      t.appendChild(tr);
    }
    /* A figure of all: each with its factor, and a bar where it may be compared with the first. */
    function figures(now, column) {
      var cells = now.map(function (r) { return r.cells[column]; }), base = figure(cells[0]), found = cells.map(figure), most = 0, told = 0;
      found.forEach(function (f, i) {
        if (!f || !base || f.wrong || base.wrong || !alike(now[0], now[i]) || f.like !== base.like || !(f.n >= 0)) return;
        most = Math.max(most, f.n);
        told++;
      });
      return cells.map(function (cell, i) {
        var td = make("td", { "class": "number" }), f = found[i];
        if (!cell) td.appendChild(make("em", { "class": "none" }, say.absent));
        else put(td, cell.children.length ? [].slice.call(cell.children) : [cell.firstChild || document.createTextNode("")]);
        if (!cell || !cell.classList.contains("number") || cell.querySelector("em.none")) return td;
        if (!f) td.appendChild(make("em", { "class": "none" }, say.unread));
        if (!f) return td;
        var may = base && !f.wrong && !base.wrong && alike(now[0], now[i]) && f.like === base.like;
        if (f.wrong || i && base && base.wrong) td.appendChild(make("em", { "class": "none" }, f.wrong ? say.wrong : say.wrongbase));
        else if (i && base) td.appendChild(may && base.n > 0 ? make("small", { "class": "factor" }, factor(f.n / base.n)) : make("em", { "class": "none" }, say.none));
        if (may && told > 1 && most > 0) {
          var drawn = make("i", { "class": now[i].state.className.replace("state", "bar"), "aria-hidden": "true" });
          drawn.style.width = f.n / most * 100 + "%";
          td.appendChild(drawn);
        }
        return td;
      });
    }
    function table(now) {
      var wrap = make("section", { "class": "scroll", tabindex: "0", "aria-label": say.title }), t = make("table", { "class": "comparison" }), top = make("thead", {}), body = make("tbody", {});
      var seen = [], tr = make("tr", {});
      tr.appendChild(make("td", {}));
      now.forEach(function (r, i) { tr.appendChild(head(r, i)); });
      top.appendChild(tr);
      kinds.forEach(function (kind, k) {
        if (now.every(function (r) { return r.criteria[k] === now[0].criteria[k]; })) return;
        line(body, [document.createTextNode(kind)], now.map(function (r) { return make("td", { "class": "number" + (r.criteria[k] === now[0].criteria[k] ? "" : " other") }, r.criteria[k]); }), "criterion");
      });
      now.forEach(function (r) { r.columns.forEach(function (c) { if (seen.indexOf(c) < 0) seen.push(c); }); });
      seen.forEach(function (c) {
        line(body, now.filter(function (r) { return r.cells[c]; })[0].heads[c], figures(now, c));
      });
      t.appendChild(top);
      t.appendChild(body);
      wrap.appendChild(t);
      return wrap;
    }
    function panel(now) {
      var apart = now.filter(function (r) { return !alike(now[0], r); }), list = make("ul", { "class": "apart" });
      place.appendChild(make("h2", { tabindex: "-1" }, say.title));
      place.appendChild(make("p", { "class": "note" }, apart.length ? say.apart : say.together));
      apart.forEach(function (r) {
        list.appendChild(make("li", {}, r.name + " – " + kinds.filter(function (kind, k) { return r.criteria[k] !== now[0].criteria[k]; }).join(say.and)));
      });
      if (apart.length) place.appendChild(list);
      place.appendChild(table(now));
    }
    /* From where there are no rows: to the page of their model, else to all. */
    function there() {
      var models = chosen.map(function (key) { return (place.models || {})[key]; });
      return say.there + (models[0] && models.every(function (m) { return m === models[0]; }) ? "model/" + models[0] : "results") + "/index.html";
    }
    function show() {
      var now = chosen.map(function (key) { return rows[key]; }).filter(Boolean), many = chosen.length > 1, go;
      for (var key in rows) rows[key].box.checked = chosen.indexOf(key) >= 0;
      place.textContent = bar.textContent = "";
      address({ compare: chosen.join(",") });
      bar.hidden = !chosen.length;
      root.classList.toggle("picking", !bar.hidden);
      if (bar.hidden) return;
      if (say.there) go = make("a", { href: there() + "?compare=" + chosen.join(",") }, say.go + " (" + chosen.length + ")");
      else go = button(say.go + " (" + chosen.length + ")", "", function () { place.scrollIntoView(); place.querySelector("h2").focus({ preventScroll: true }); });
      bar.appendChild(many ? go : make("span", { role: "status" }, say.more));
      bar.appendChild(button(say.clear, "", clear));
      if (many && !say.there) panel(now);
    }
    /* While the comparison is in view nothing need lead to it. */
    if (!say.there) new IntersectionObserver(function (e) { bar.classList.toggle("there", e[e.length - 1].isIntersecting); }).observe(place);
    /* What a row says, by the heads of its table; made when it is asked for, once. */
    function read(row) {
      var key = row.dataset.row, first = row.cells[0], table = row.closest("table");
      if (rows[key]) return;
      var heads = table.heads = table.heads || all("thead th", table).map(function (th) { return [].slice.call(th.childNodes).map(function (n) { return n.cloneNode(true); }); });
      var r = rows[key] = { key: key, head: [].slice.call(first.children), name: first.textContent.trim().replace(/\s+/g, " "), state: row.parentNode.querySelector(".state"),
        group: row.dataset.group, criteria: row.dataset.criteria.split("\t"), cells: Object.create(null), heads: Object.create(null), columns: [] };
      heads.forEach(function (nodes, i) {
        var name = nodes.map(function (n) { return n.textContent; }).join("").trim().replace(/\s+/g, " ");
        if (!i || !row.cells[i]) return;
        r.columns.push(name);
        r.cells[name] = row.cells[i];
        r.heads[name] = nodes;
      });
      var label = box(key, r.name);
      r.box = label.firstChild;
      first.insertBefore(label, first.firstChild);
    }
    all("tr[data-row]").forEach(read);
    place.classList.toggle("ticks", Object.keys(rows).length > 0);
    var names = Object.keys(rows), told = { gone: [], lost: [], unsure: [] };
    /* The row of an address: where it was, or the only one of its key where it is now. A result stands
       for its first row. What is not there is not compared, which is said; so is what only a place names. */
    function find(key) {
      var at = key.indexOf(":"), of = at < 0 ? key + ":" : key.slice(0, at + 1), dash = key.indexOf("-", of.length);
      var own = names.filter(function (k) { return k.indexOf(of) === 0; });
      var same = own.filter(function (k) { return dash < 0 ? k === key || k.indexOf(key + "-") === 0 : k.slice(k.indexOf("-", of.length)) === key.slice(dash); });
      var one = at < 0 ? own[0] : rows[key] ? key : same.length === 1 ? same[0] : "";
      if (!one) told[own.length && "whole" in say ? "lost" : "gone"].push(key);
      else if (same.length > 1 || at >= 0 && dash < 0 && one !== key) told.unsure.push(one);
      return one;
    }
    chosen = (say.there ? wanted : wanted.map(find)).filter(function (key, k, list) { return key && list.indexOf(key) === k; });
    document.getElementById("main").appendChild(bar);
    show();
    Object.keys(told).forEach(function (what) {
      var keys = told[what].map(function (key) { return key.replace(/(:[^-]*)-.*/, "$1"); });
      if (keys.length) place.insertBefore(make("p", { "class": "note", role: "status" }, fill(say[what], keys.length).replace("{rows}", keys.join(say.and))), place.firstChild);
    });
    if (chosen.length > 1 && !say.there && !location.hash) place.scrollIntoView();
    place.picks = box;
    place.show = show;
  }

  document.addEventListener("DOMContentLoaded", function () {
    themes();
    tongues(location.search);
    all(".compare-any").slice(0, 1).forEach(comparing);
    all("table[data-filter]").forEach(filterable);
    all("table[data-sort]").forEach(sortable);
    all(".search-box").forEach(search);
    all(".rules[data-filter]").forEach(choosing);
    if (location.hash) {
      var target = null;
      try { target = document.getElementById(decodeURIComponent(location.hash.slice(1))); } catch (e) { /* no address of ours */ }
      if (target) target.scrollIntoView();
    }
  });
  window.addEventListener("beforeprint", function () { all("details").forEach(function (d) { d.open = true; }); });
})();
document.addEventListener("DOMContentLoaded", function () {
{{>site/chart.js}}
});
