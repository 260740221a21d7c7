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
  function shows(row) { return !row.hidden && !row.classList.contains("unfigured"); }
  /* Where, among what is shown, rows begin that may not be compared with those before. */
  function divide(table) {
    all("tbody", table).forEach(function (body) {
      var before = null;
      all("tr:not(.group)", body).forEach(function (row) {
        row.classList.toggle("begins", shows(row) && before !== null && row.among !== before.among);
        if (shows(row)) before = row;
      });
    });
  }
  /* Bars and points of a drawing that are rows of the table go with them: what is not shown there is
     not drawn, and once somebody sorts, bars stand in the order of rows. Bars of one block stay
     together: its heading is between blocks, and rows of one state are in one. */
  function redraw(table) {
    var place = Object.create(null), n = 0;
    all("tr[data-row]", table).forEach(function (row) { place[row.dataset.row] = shows(row) ? ++n : 0; });
    var own = all("[data-mark]").filter(function (m) { return m.dataset.mark in place; }), drawings = [];
    own.forEach(function (m) {
      if (place[m.dataset.mark]) m.removeAttribute("display");
      else m.setAttribute("display", "none");
      if (m.dataset.place && drawings.indexOf(m.parentNode) < 0) drawings.push(m.parentNode);
    });
    drawings.forEach(function (svg) { restack(svg, place, table.order && table.order.value); });
  }
  /* Blocks are what stands without a gap as the drawing comes. */
  function blocks(svg) {
    var found = [], end = NaN;
    all(".chart-row", svg).forEach(function (e) {
      var at = e.dataset.place.split(" "), row = { e: e, top: +at[0], high: +at[1] };
      if (!(Math.abs(row.top - end) < 1)) found.push({ top: row.top, rows: [] });
      found[found.length - 1].rows.push(row);
      found[found.length - 1].next = e.nextElementSibling;
      end = row.top + row.high;
    });
    return found;
  }
  function restack(svg, place, is_sorted) {
    svg.blocks = svg.blocks || blocks(svg);
    if (is_sorted) all("[data-sorted]", svg).forEach(function (e) { e.textContent = e.dataset.sorted; });
    svg.blocks.forEach(function (b) {
      var y = b.top, next = b.next && b.next.parentNode === svg ? b.next : null;
      b.rows.slice().sort(function (p, q) { return (is_sorted ? place[p.e.dataset.mark] - place[q.e.dataset.mark] : 0) || p.top - q.top; }).forEach(function (r) {
        if (place[r.e.dataset.mark]) {
          r.e.setAttribute("transform", "translate(0," + (y - r.top) + ")");
          y += r.high;
        }
        svg.insertBefore(r.e, next);
      });
    });
  }
  function sort(table, i, down) {
    var heads = all("thead th", table), figure = heads[i].classList.contains("figure");
    table.order.value = (down ? "-" : "") + heads[i].dataset.key;
    if (!table.resort || !table.resort()) all("tbody", table).forEach(function (body) {
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
    redraw(table);
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
