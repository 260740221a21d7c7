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

  /* ---- sorting: within a body, so that states stay apart ---- */
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
  function sort(table, i, down) {
    all("tbody", table).forEach(function (body) {
      var rows = all("tr:not(.group)", body);
      rows.map(function (row, k) { return { row: row, v: value(row, i), k: k }; })
        .sort(function (x, y) {
          if (x.v === null || y.v === null) return compare(x.v, y.v) || x.k - y.k;
          return (down ? -1 : 1) * compare(x.v, y.v) || x.k - y.k;
        })
        .forEach(function (x) { body.appendChild(x.row); });
    });
    all("thead th", table).forEach(function (th, k) {
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
  function words(text) { return text.toLowerCase().split(/\s+/).filter(Boolean); }
  function holds(text, wanted) { return wanted.every(function (w) { return text.indexOf(w) >= 0; }); }
  function address(state) {
    var q = new URLSearchParams(), k, s;
    for (k in state) kept[k] = state[k];
    for (k in kept) if (kept[k]) q.set(k, kept[k]);
    s = q.toString();
    try { history.replaceState(null, "", location.pathname + (s ? "?" + s : "") + location.hash); } catch (e) { /* file: */ }
  }
  function options(rows, key) {
    var seen = {};
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
    var text = rows.map(function (r) { return r.textContent.toLowerCase(); });
    var state = { q: "", state: "", vendor: "", model: "", accelerator: "" };
    var bar = make("div", { "class": "filters", role: "search" });
    var none = make("p", { hidden: "", role: "status" }, table.dataset.none), inputs = {};
    function apply() {
      var wanted = words(state.q), shown = 0;
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
    table.parentNode.parentNode.insertBefore(bar, table.parentNode);
    table.parentNode.appendChild(none);
    apply();
  }

  /* ---- search: what is there is there, to the character ---- */
  function search(box) {
    var items = all(".found li"), text = items.map(function (i) { return i.textContent.toLowerCase(); });
    var label = make("label", {}, box.dataset.label + " "), input = make("input", { type: "search", autocomplete: "off" });
    var status = make("span", { role: "status" });
    input.value = asked.get("q") || "";
    function apply() {
      var wanted = words(input.value), n = 0;
      items.forEach(function (item, i) { item.hidden = !holds(text[i], wanted); n += !item.hidden; });
      all(".found").forEach(function (list) {
        var empty = !all("li", list).some(function (i) { return !i.hidden; });
        list.hidden = empty;
        if (list.previousElementSibling) list.previousElementSibling.hidden = empty;
      });
      status.textContent = wanted.length ? (n ? n + " " + box.dataset.count : box.dataset.none) : "";
      address({ q: input.value.trim() });
    }
    input.addEventListener("input", apply);
    label.appendChild(input);
    box.appendChild(label);
    box.appendChild(status);
    apply();
    input.focus();
  }

  /* ---- any rows of a comparable group side by side: columns of its table, turned ---- */
  function comparing(place) {
    var table = place.parentNode.querySelector("table.rows"), chosen = [];
    if (!table) return;
    var heads = all("thead th", table).map(function (th) { return th.textContent.trim(); });
    function names(row) { return [row.cells[0].textContent.trim().replace(/\s+/g, " ")]; }
    function show() {
      while (place.firstChild) place.removeChild(place.firstChild);
      if (chosen.length < 2) return;
      var wrap = make("section", { "class": "scroll", tabindex: "0", "aria-label": place.dataset.pick }), t = make("table", { "class": "pair" });
      heads.forEach(function (head, i) {
        var tr = make("tr", {});
        tr.appendChild(make("th", { scope: "row" }, i ? head : ""));
        chosen.forEach(function (row) {
          var cell = make(i ? "td" : "th", i ? { "class": "number" } : { scope: "col", "class": "number" });
          if (i === 0) {
            cell.textContent = names(row)[0];
            var mark = row.parentNode.querySelector(".state");
            if (mark) { cell.appendChild(document.createElement("br")); cell.appendChild(mark.cloneNode(true)); }
          } else all(":scope > *", row.cells[i]).concat(row.cells[i].children.length ? [] : [row.cells[i].firstChild || document.createTextNode("")])
            .forEach(function (n) { cell.appendChild(n.cloneNode(true)); cell.appendChild(document.createTextNode(" ")); });
          tr.appendChild(cell);
        });
        t.appendChild(tr);
      });
      var clear = make("button", { type: "button" }, place.dataset.clear);
      clear.addEventListener("click", function () { all("input[type=checkbox]", table).forEach(function (b) { b.checked = false; }); chosen = []; show(); });
      wrap.appendChild(t);
      place.appendChild(wrap);
      place.appendChild(clear);
    }
    var rows = all("tbody tr:not(.group)", table);
    if (rows.length < 2) return;
    rows.forEach(function (row) {
      var label = make("label", {}), box = make("input", { type: "checkbox", "aria-label": place.dataset.pick + ": " + names(row)[0] });
      box.addEventListener("change", function () {
        chosen = chosen.filter(function (r) { return r !== row; });
        if (box.checked) chosen.push(row);
        show();
      });
      label.appendChild(box);
      row.cells[0].insertBefore(label, row.cells[0].firstChild);
    });
  }

  document.addEventListener("DOMContentLoaded", function () {
    themes();
    all(".compare-any").forEach(comparing);
    all("table[data-filter]").forEach(filterable);
    all("table[data-sort]").forEach(sortable);
    all(".search-box").forEach(search);
    if (location.hash) { var target = document.getElementById(decodeURIComponent(location.hash.slice(1))); if (target) target.scrollIntoView(); }
  });
  window.addEventListener("beforeprint", function () { all("details").forEach(function (d) { d.open = true; }); });
})();
document.addEventListener("DOMContentLoaded", function () {
{{>site/chart.js}}
});
