  /* ---- filtering: the address holds only what is not the default ---- */
  /* What a reader knows it by: the first words in its place of the table. */
  function called(key, row) {
    if (key === "model") return row.dataset.name;
    var e = key === "state" ? row.parentNode.querySelector(".state") : row.querySelector(key === "vendor" ? ".by" : "td");
    return key === "state" ? e.lastChild.textContent.trim() : e.firstChild.textContent.replace(/[ ·]+$/, "");
  }
  /* Those that rows have, by name; states as they stand. */
  function options(rows, key) {
    var seen = Object.create(null), found = [];
    rows.forEach(function (r) {
      var v = key === "state" ? r.parentNode.dataset.state : r.dataset[key];
      if (v && !seen[v]) found.push(seen[v] = { value: v, name: called(key, r) });
    });
    return key === "state" ? found : found.sort(function (a, b) { return a.name.localeCompare(b.name, root.lang); });
  }
  function filterable(table) {
    var rows = all("tbody tr:not(.group)", table);
    if (rows.length < 2) return;
    var text = rows.map(function (r) { return fold([r.textContent, r.dataset.also, r.dataset.vendor, r.dataset.name].join(" ")); });
    var state = { q: "", state: "", vendor: "", model: "", accelerator: "" };
    var bar = make("div", { "class": "filters", role: "search" });
    var none = make("p", { hidden: "", role: "status" }, table.dataset.none), inputs = {}, count = make("span", { "class": "heard", role: "status" });
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
      values.forEach(function (v) { select.appendChild(make("option", { value: v.value }, v.name)); });
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
