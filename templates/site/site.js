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
  function all(selector, from) { return Array.prototype.slice.call((from || document).querySelectorAll(selector)); }

  /* ---- colours ---- */
  function themes() {
    var order = ["", "light", "dark"], signs = { "": "◐", light: "○", dark: "●" };
    all("button.theme").forEach(function (b) {
      function say() {
        var now = order.indexOf(store.get()) > 0 ? store.get() : "";
        b.textContent = signs[now];
        b.title = b.dataset[now || "auto"];
        b.setAttribute("aria-label", b.title);
      }
      b.hidden = false;
      say();
      b.addEventListener("click", function () {
        var next = order[(order.indexOf(store.get() || "") + 1) % order.length];
        store.set(next);
        paint(next);
        say();
      });
    });
  }

  var asked = new URLSearchParams(location.search), kept = {};

  /* ---- sorting: within a body, so that states stay apart; a figure only among rows that may be
     compared, and in one unit, so that no order goes over different work. ---- */
  function value(row, i) {
    var cell = row.cells[i], number = cell && cell.querySelector(".value");
    var text = (number || cell || { textContent: "" }).textContent.trim();
    var n = parseFloat(text.replace(/,/g, ""));
    if (cell && cell.classList.contains("number")) return cell.querySelector(".none") || isNaN(n) ? null : n;
    return text;
  }
  function compare(a, b) {
    if (a === null || b === null) return (a === null) - (b === null);
    return typeof a === "number" ? a - b : a.localeCompare(b, root.lang);
  }
  function apart(row, i) {
    var unit = row.cells[i].querySelector(".unit");
    return (row.dataset.group || "") + "\n" + (unit ? unit.textContent : "");
  }
  function sort(table, i, down) {
    var heads = all("thead th", table), figure = heads[i].classList.contains("figure");
    all("tbody", table).forEach(function (body) {
      all("tr:not(.group)", body).map(function (row, k) { return { row: row, v: value(row, i), k: k, group: figure ? apart(row, i) : "" }; })
        .sort(function (x, y) {
          if (x.group !== y.group) return x.group < y.group ? -1 : 1;
          if (x.v === null || y.v === null) return compare(x.v, y.v) || x.k - y.k;
          return (down ? -1 : 1) * compare(x.v, y.v) || x.k - y.k;
        })
        .forEach(function (x) { body.appendChild(x.row); });
    });
    heads.forEach(function (th, k) {
      if (k === i) th.setAttribute("aria-sort", down ? "descending" : "ascending");
      else th.removeAttribute("aria-sort");
    });
  }
  function sortable(table, i, tables) {
    var heads = all("thead th", table), alone = tables.length === 1, from = /^(-?)(\d+)$/.exec(asked.get("sort") || "");
    heads.forEach(function (th, i) {
      var button = make("button", { type: "button" });
      while (th.firstChild) button.appendChild(th.firstChild);
      th.appendChild(button);
      button.addEventListener("click", function () {
        var was = th.getAttribute("aria-sort");
        var down = was ? was === "ascending" : th.classList.contains("number");
        sort(table, i, down);
        if (alone) address({ sort: (down ? "-" : "") + i });
      });
    });
    if (!alone || !asked.has("sort")) return;
    if (from && heads[from[2]]) sort(table, +from[2], from[1] === "-");
    address({ sort: from && heads[from[2]] ? from[0] : "" });
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
    var none = make("p", { hidden: "", role: "status" }, table.dataset.none), inputs = {};
    function apply() {
      var wanted = words(fold(state.q)), shown = 0;
      rows.forEach(function (r, i) {
        var ok = holds(text[i], wanted) && (!state.state || r.parentNode.dataset.state === state.state) &&
          ["vendor", "model", "accelerator"].every(function (k) { return !state[k] || r.dataset[k] === state[k]; });
        r.hidden = !ok;
        shown += ok;
      });
      all("tbody", table).forEach(function (b) { b.hidden = !all("tr:not(.group)", b).some(function (r) { return !r.hidden; }); });
      none.hidden = shown > 0;
      reset.hidden = !Object.keys(state).some(function (k) { return state[k]; });
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

  /* ---- search: what is there is there, to the character. Pages stand in the list; results are lines
     of text (renderer/site_search.c), and only the first that are found become elements. ---- */
  var SHOWN = 100;
  function read(text) {
    var parts = text.split("\n\n").map(function (p) { return p.split("\n").filter(Boolean).map(function (l) { return l.split("\t"); }); }), title = [];
    function about(i) { return i === "" ? [] : parts[1][i]; }
    return (parts[2] || []).map(function (r) {
      var vendor = about(r[0]), state = parts[0][r[2]], model = about(r[3]), card = about(r[4]);
      if (r[5] !== "\"") title = r.slice(5);
      var name = vendor[1] + " · " + r[1], path = vendor[0] + "/" + r[1];
      return { path: path, name: name, state: state, order: +r[2], head: fold(name + " " + path + " " + vendor.join(" ")),
        more: [vendor[0], title[0], model[1], card[1]].filter(Boolean).join(" · "),
        text: fold([name, path].concat(vendor, model, card, title, state).join("\n")) };
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
    function line(r) {
      var li = make("li", {}), state = make("span", { "class": "state " + r.state[0] });
      li.appendChild(make("a", { href: document.body.dataset.root + "result/" + r.path + "/index.html" }, r.name));
      state.appendChild(make("i", { "aria-hidden": "true" }, r.state[1]));
      state.appendChild(document.createTextNode(" " + r.state[2]));
      [state, make("span", { "class": "more" }, r.more)].forEach(function (e) { li.appendChild(document.createTextNode(" ")); li.appendChild(e); });
      return li;
    }
    function apply() {
      var text = fold(input.value).trim(), wanted = words(text);
      items.forEach(function (i) { i.hit = holds(i.text, wanted); i.e.hidden = !i.hit; i.rank = wanted.length ? rank(i.names, text) : 0; });
      items.slice().sort(function (a, b) { return a.rank - b.rank || a.k - b.k; }).forEach(function (i) { pages.appendChild(i.e); });
      pages.hidden = pages.previousElementSibling.hidden = !items.some(function (i) { return i.hit; });
      var hits = wanted.length ? results.filter(function (r) { return holds(r.text, wanted); }) : [];
      hits = hits.map(function (r, k) { return { r: r, k: k, far: holds(r.head, wanted) ? 0 : 1 }; })
        .sort(function (a, b) { return a.r.order - b.r.order || a.far - b.far || a.k - b.k; });
      list.textContent = "";
      hits.slice(0, SHOWN).forEach(function (h) { list.appendChild(line(h.r)); });
      list.hidden = !hits.length;
      var n = hits.length + items.filter(function (i) { return i.hit; }).length;
      status.textContent = !wanted.length ? "" : !n ? box.dataset.none :
        n + " " + box.dataset.count + (hits.length > SHOWN ? " " + box.dataset.more.replace("{n}", hits.length).replace("{m}", SHOWN) : "");
      address({ q: input.value.trim() });
    }
    input.addEventListener("input", apply);
    label.appendChild(input);
    box.appendChild(label);
    box.appendChild(status);
    apply();
    input.focus();
  }

  /* ---- any rows of a comparable group side by side: columns of its table, turned. Which they are is
     in the address (?compare=vendor/case:1.2,…), so that it can be sent, kept and gone back to. ---- */
  var chosen = (asked.get("compare") || "").split(",").filter(Boolean);
  function comparing(place) {
    var table = place.parentNode.querySelector("table.rows"), rows = table ? all("tbody tr[data-row]", table) : [], boxes = {};
    if (rows.length < 2) return;
    var heads = all("thead th", table).map(function (th) { return th.textContent.trim(); }), names = {};
    rows.forEach(function (row) { names[row.dataset.row] = row.cells[0].textContent.trim().replace(/\s+/g, " "); });
    function picked() { return chosen.map(function (key) { return boxes[key] && boxes[key].row; }).filter(Boolean); }
    function show() {
      var now = picked();
      for (var key in boxes) boxes[key].box.checked = chosen.indexOf(key) >= 0;
      place.textContent = "";
      address({ compare: chosen.join(",") });
      if (now.length < 2) return;
      var wrap = make("section", { "class": "scroll", tabindex: "0", "aria-label": place.dataset.pick }), t = make("table", { "class": "pair" });
      heads.forEach(function (head, i) {
        var tr = make("tr", {});
        tr.appendChild(make("th", { scope: "row" }, i ? head : ""));
        now.forEach(function (row) {
          var cell = make(i ? "td" : "th", i ? { "class": "number" } : { scope: "col", "class": "number" });
          if (i === 0) {
            cell.textContent = names[row.dataset.row];
            var mark = row.parentNode.querySelector(".state");
            if (mark) { cell.appendChild(document.createElement("br")); cell.appendChild(mark.cloneNode(true)); }
          } else all(":scope > *", row.cells[i]).concat(row.cells[i].children.length ? [] : [row.cells[i].firstChild || document.createTextNode("")])
            .forEach(function (n) { cell.appendChild(n.cloneNode(true)); cell.appendChild(document.createTextNode(" ")); });
          tr.appendChild(cell);
        });
        t.appendChild(tr);
      });
      var clear = make("button", { type: "button" }, place.dataset.clear);
      clear.addEventListener("click", function () {
        chosen = chosen.filter(function (key) { return !boxes[key]; });
        show();
        rows[0].querySelector("input").focus();
      });
      wrap.appendChild(t);
      place.appendChild(wrap);
      place.appendChild(clear);
    }
    rows.forEach(function (row) {
      var key = row.dataset.row, label = make("label", { "class": "pick" }), box = make("input", { type: "checkbox", "aria-label": place.dataset.pick + ": " + names[key] });
      box.addEventListener("change", function () {
        chosen = chosen.filter(function (k) { return k !== key; });
        if (box.checked) chosen.push(key);
        show();
      });
      boxes[key] = { row: row, box: box };
      label.appendChild(box);
      row.cells[0].insertBefore(label, row.cells[0].firstChild);
    });
    place.show = show;
  }
  /* What is not on this page is not compared; a browser that goes back may have ticked boxes itself. */
  function compared() {
    var places = all(".compare-any").filter(function (p) { return p.show; });
    if (!places.length) return;
    chosen = chosen.filter(function (key, k) { return chosen.indexOf(key) === k && document.querySelector('tr[data-row="' + CSS.escape(key) + '"] .pick'); });
    places.forEach(function (p) { p.show(); });
    if (chosen.length > 1 && !location.hash) {
      var first = document.querySelector(".compare-any > *");
      if (first) first.scrollIntoView();
    }
  }

  document.addEventListener("DOMContentLoaded", function () {
    themes();
    all(".compare-any").forEach(comparing);
    compared();
    all("table[data-filter]").forEach(filterable);
    all("table[data-sort]").forEach(sortable);
    all(".search-box").forEach(search);
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
