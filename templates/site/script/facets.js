  /* ---- tables whose rows are no results of pages (MLPerf): choices by the words of columns, and the columns
     that are shown. The address holds both. ---- */
  function faceted(table) {
    var heads = all("thead th", table), rows = all("tbody tr", table), place = table.parentNode;
    var state = { q: "" }, inputs = {}, hidden = (asked.get("hide") || "").split(",").filter(Boolean);
    if (rows.length < 2) return;
    var bar = make("div", { "class": "filters", role: "search" }), count = make("span", { "class": "heard", role: "status" });
    var none = make("p", { hidden: "", role: "status" }, table.dataset.none), reset = make("button", { type: "button", hidden: "" }, table.dataset.reset);
    function text(cell) { return (cell.querySelector(".state") || cell).lastChild.textContent.trim(); }
    function column(key) { return heads.findIndex(function (th) { return th.dataset.key === key; }); }
    function name_of(th) { return th.textContent.trim(); }
    function apply() {
      var wanted = words(fold(state.q)), left = 0, choices = Object.keys(state).filter(function (k) { return k !== "q" && state[k]; });
      rows.forEach(function (r) {
        r.hidden = !(holds(fold(r.textContent), wanted) && choices.every(function (k) { return text(r.cells[column(k)]) === state[k]; }));
        left += !r.hidden;
      });
      heads.forEach(function (th, i) {
        var gone = hidden.indexOf(th.dataset.key) >= 0;
        all("tr", table).forEach(function (r) { r.cells[i].hidden = gone; });
      });
      reset.hidden = !choices.length && !state.q && !hidden.length;
      none.hidden = left > 0;
      count.textContent = left === rows.length ? "" : fill(table.dataset.count, left, rows.length);
      address(Object.assign({ hide: hidden.join(",") }, state));
    }
    function control(to, key, element, label, change) {
      var l = make("label", {}, label + " ");
      element.addEventListener("input", function () { change(element); apply(); });
      inputs[key] = element;
      l.appendChild(element);
      to.appendChild(l);
    }
    function choose(key) { return function (element) { state[key] = element.value.trim(); }; }
    function choice(th, i) {
      var key = th.dataset.key, select = make("select", {}), found = [];
      rows.forEach(function (r) { if (found.indexOf(text(r.cells[i])) < 0) found.push(text(r.cells[i])); });
      if (found.length < 2) return;
      found.sort(function (a, b) { return a - b || a.localeCompare(b, root.lang); });
      select.appendChild(make("option", { value: "" }, table.dataset.any));
      found.forEach(function (v) { select.appendChild(make("option", { value: v }, v)); });
      select.value = state[key] = found.indexOf(asked.get(key)) >= 0 ? asked.get(key) : "";
      control(bar, key, select, name_of(th), choose(key));
    }
    var search = make("input", { type: "search" });
    search.value = state.q = asked.get("q") || "";
    control(bar, "q", search, table.dataset.label, choose("q"));
    heads.forEach(function (th, i) { if ("facet" in th.dataset) choice(th, i); });
    var columns = make("details", { "class": "columns" });
    columns.appendChild(make("summary", {}, table.dataset.columns));
    heads.slice(1).forEach(function (th) {
      var tick = make("input", { type: "checkbox" }), key = th.dataset.key;
      tick.checked = hidden.indexOf(key) < 0;
      control(columns, "show " + key, tick, name_of(th), function () {
        hidden = hidden.filter(function (k) { return k !== key; }).concat(tick.checked ? [] : [key]);
      });
    });
    reset.addEventListener("click", function () {
      hidden = [];
      Object.keys(inputs).forEach(function (k) { if (inputs[k].type === "checkbox") inputs[k].checked = true; else inputs[k].value = state[k] = ""; });
      apply();
    });
    [columns, reset, count].forEach(function (e) { bar.appendChild(e); });
    [bar, none].forEach(function (e) { place.parentNode.insertBefore(e, place); });
    apply();
  }
