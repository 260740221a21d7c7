  /* ---- filtering: one bar for all tables of the page; the address holds only what is not the default. Rows
     are those of the page; where the list has several pages, those of all of them as soon as somebody filters
     (everywhere.js), in the one table of such a page. ---- */
  /* What a reader knows it by: the first words in its place of the table. */
  function called(key, row) {
    if (key === "model") return row.dataset.name;
    var e = key === "state" ? row.parentNode.querySelector(".state") : row.querySelector(key === "vendor" ? ".by" : "td") || row.querySelector("th a");
    return key === "state" ? e.lastChild.textContent.trim() : e.firstChild.textContent.replace(/[ ·]+$/, "");
  }
  /* Those that rows have, by name; states as they stand. */
  function options(items, key) {
    var seen = Object.create(null), found = [];
    items.forEach(function (r) {
      var v = r[key];
      if (v && !seen[v]) found.push(seen[v] = { value: v, name: r.names(key) });
    });
    return key === "state" ? found : found.sort(function (a, b) { return a.name.localeCompare(b.name, root.lang); });
  }
  /* A row of the page as the filter sees it. */
  function item(r, heads) {
    function number(key) { var cell = r.cells[heads.indexOf(key)]; return cell && cell.dataset.v && !("wrong" in cell.dataset) ? +cell.dataset.v : null; }
    return { row: r, text: fold([r.textContent, r.dataset.also, r.dataset.vendor, r.dataset.name].join(" ")), state: r.parentNode.dataset.state, vendor: r.dataset.vendor, model: r.dataset.model,
      accelerator: r.dataset.accelerator, group: r.dataset.group, figures: ["throughput", "mfu"].some(function (k) { var cell = r.cells[heads.indexOf(k)]; return cell && cell.querySelector(".value"); }), rate: number("throughput"), mfu: number("mfu"), names: function (key) { return called(key, r); } };
  }
  /* Of the rows of one card that may be compared the fastest of the first state; states are in order. */
  function bests(items) {
    var seen = Object.create(null), order = [];
    function better(a, b) {
      if (a.state !== b.state) return order.indexOf(a.state) < order.indexOf(b.state);
      return a.rate !== b.rate ? a.rate > b.rate : a.mfu > b.mfu;
    }
    items.forEach(function (r) {
      var key = r.group + "\n" + r.vendor + "\n" + r.accelerator;
      if (order.indexOf(r.state) < 0) order.push(r.state);
      if (!seen[key] || better(r, seen[key])) seen[key] = r;
    });
    return items.filter(function (r) { return seen[r.group + "\n" + r.vendor + "\n" + r.accelerator] === r; });
  }
  function items_of(table) {
    var heads = all("thead th", table).map(function (th) { return th.dataset.key; });
    return all("tbody tr:not(.group)", table).map(function (r) { return item(r, heads); });
  }
  function section_of(table) { return table.closest("section[aria-labelledby]") || table.parentNode; }
  function filterable(tables) {
    var table = tables[0], place = tables.length > 1 ? section_of(table) : table && table.parentNode;
    var items = [].concat.apply([], tables.map(items_of));
    if (items.length < 2) return;
    var state = { q: "", state: "", vendor: "", model: "", accelerator: "", figures: "", best: "" }, more = +table.dataset.scripts || 0, loaded = false;
    var bar = make("div", { "class": "filters", role: "search" });
    var none = make("p", { hidden: "", role: "status" }, table.dataset.none), inputs = {}, count = make("span", { "class": "heard", role: "status" });
    var figure = document.querySelector(".drawing.points"), points = figure && plotted(figure);
    var folds = items.some(function (r) { return r.figures; }) && "figures" in table.dataset;
    /* What the page says of all rows, or how many of them are left. */
    function tell(e, n, of) {
      e.all = e.all || e.textContent;
      e.textContent = n === of ? e.all : fill(table.dataset.count, n, of);
    }
    /* Of one table, whose heading and drawings go where no row of it is left. */
    function tell_table(t) {
      var rows = 0, left = 0;
      all("tbody", t).forEach(function (b) {
        var own = all("tr:not(.group)", b), shown = own.filter(shows).length;
        b.hidden = !own.some(function (r) { return !r.hidden; });
        b.classList.toggle("unfigured", !shown);
        tell(b.querySelector(".group .count"), shown, own.length);
        rows += own.length;
        left += shown;
      });
      if (tables.length > 1) section_of(t).hidden = !left;
      tell(t.caption.querySelector(".count"), left, rows);
      divide(t);
      redraw(t);
    }
    function matching(whole) {
      var wanted = words(fold(state.q)), found = items.filter(function (r) {
        return (whole || !folds || state.figures || r.figures) && holds(r.text, wanted) &&
          ["state", "vendor", "model", "accelerator"].every(function (k) { return !state[k] || r[k] === state[k]; });
      });
      return state.best ? bests(found) : found;
    }
    function apply() {
      var found = matching(), shown = found.length;
      reset.hidden = !Object.keys(state).some(function (k) { return state[k]; });
      if (loaded) everywhere.show(table, found);
      else {
        /* What is only folded for it has no figure is on paper all the same. */
        items.forEach(function (r) { r.row.hidden = true; r.row.classList.add("unfigured"); });
        matching(!state.best).forEach(function (r) { r.row.hidden = false; });
        found.forEach(function (r) { r.row.classList.remove("unfigured"); });
        tables.forEach(tell_table);
      }
      if (points) points(found, loaded);
      none.hidden = shown > 0;
      if (loaded) tell(table.caption.querySelector(".count"), shown, items.length);
      count.textContent = reset.hidden || !shown ? "" : fill(table.dataset.count, shown, items.length);
      address(state);
    }
    /* All pages of the list, once: then the choices are those of all rows. */
    function ask(quietly) {
      if (!more || loaded) return quietly === true || apply();
      everywhere.load(table, function (rows_of_all) {
        loaded = true;
        items = rows_of_all;
        Object.keys(inputs).forEach(function (k) { if (inputs[k].tagName === "SELECT") choices(inputs[k], k); });
        apply();
      });
    }
    table.resort = function () { if (loaded) apply(); return loaded; };
    function choices(select, key) {
      select.textContent = "";
      select.appendChild(make("option", { value: "" }, table.dataset.any));
      options(items, key).forEach(function (v) { select.appendChild(make("option", { value: v.value }, v.name)); });
      select.value = state[key];
    }
    function control(key, element, label) {
      var l = make("label", {}, label + " "), tick = element.type === "checkbox";
      state[key] = asked.get(key) || "";
      if (tick) element.checked = key === "figures" ? !state[key] : !!state[key];
      else element.value = state[key];
      if (!tick && element.value !== state[key] && !more) state[key] = "";
      element.addEventListener("input", function () {
        state[key] = tick ? element.checked === (key === "figures") ? "" : key === "figures" ? "all" : "card" : element.value.trim();
        ask();
      });
      inputs[key] = element;
      l.appendChild(element);
      bar.appendChild(l);
    }
    var reset = make("button", { type: "button", hidden: "" }, table.dataset.reset);
    reset.addEventListener("click", function () {
      for (var k in inputs) {
        if (inputs[k].type === "checkbox") inputs[k].checked = k === "figures";
        else inputs[k].value = "";
        state[k] = "";
      }
      ask();
    });
    control("q", make("input", { type: "search" }), table.dataset.filter);
    [["state", table.dataset.state], ["vendor", table.dataset.vendor], ["model", table.dataset.model], ["accelerator", table.dataset.accelerator]].forEach(function (f) {
      if (options(items, f[0]).length < 2 && !more) return;
      var select = make("select", {});
      choices(select, f[0]);
      control(f[0], select, f[1]);
    });
    if (folds && (more || items.some(function (r) { return !r.figures; }))) control("figures", make("input", { type: "checkbox" }), table.dataset.figures);
    control("best", make("input", { type: "checkbox" }), table.dataset.best);
    bar.appendChild(reset);
    bar.appendChild(count);
    ["focusin", "pointerenter"].forEach(function (e) { bar.addEventListener(e, function () { ask(true); }); });
    /* On a telephone results come first: what filters is folded until it is asked for, or does. */
    var folded = make("details", { "class": "filtering" }), wide = matchMedia("(min-width: 44.01rem)");
    folded.appendChild(make("summary", {}, table.dataset.filter));
    folded.appendChild(bar);
    folded.open = wide.matches || Object.keys(state).some(function (k) { return state[k]; });
    wide.addEventListener("change", function () { folded.open = folded.open || wide.matches; });
    var below = figure || place;
    below.parentNode.insertBefore(folded, below);
    below.parentNode.insertBefore(none, below);
    if (Object.keys(state).some(function (k) { return state[k]; })) ask();
    else apply();
  }
