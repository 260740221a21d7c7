  /* ---- any rows side by side: columns of their tables, turned. Which they are is in the address
     (?compare=vendor/case:1.2-3f2a91c0,…: place and key, base/figures/row_key.h), so that it can be sent, kept and
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
    /* What the verifier read, and why it counts for nothing; null: no one value. */
    function figure(cell, r) {
      return cell && cell.dataset.v ? { n: +cell.dataset.v, like: (cell.dataset.form || "") + unit(cell), wrong: "wrong" in cell.dataset ? say.wrong : r.withdrawn ? say.withdrawn : "" } : null;
    }
    /* Why a figure has no factor to this first one; "": it has. */
    function why(f, base, cell, r, first) {
      if (f.wrong) return f.wrong;
      if (!base) return fill(say.nobase, 0, cell ? (cell.querySelector("em.none, .value") || cell).textContent.trim() : say.absent);
      if (base.wrong) return first.withdrawn ? fill(say.nobase, 0, first.state.lastChild.textContent.trim()) : say.wrongbase;
      return !alike(first, r) ? say.none : f.like !== base.like ? say.form : base.n > 0 ? "" : say.none;
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
      var cells = now.map(function (r) { return r.cells[column]; }), found = cells.map(function (cell, i) { return figure(cell, now[i]); }), base = found[0], most = 0, told = 0;
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
        var not = i ? why(f, base, cells[0], now[i], now[0]) : f.wrong;
        if (not) td.appendChild(make("em", { "class": "none" }, not));
        else if (i) td.appendChild(make("small", { "class": "factor" }, factor(f.n / base.n)));
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
      var apart = now.filter(function (r) { return !alike(now[0], r); });
      var sizes = now.filter(function (r) { return alike(now[0], r) && r.size && now[0].size && r.size !== now[0].size; });
      var again = now.filter(function (r) { return r.again && now[0].again && r.again !== now[0].again; });
      function tell(note, of, what) {
        var list = make("ul", { "class": "apart" });
        place.appendChild(make("p", { "class": "note" }, note));
        of.forEach(function (r) { list.appendChild(make("li", {}, r.name + " – " + what(r))); });
        if (of.length) place.appendChild(list);
      }
      place.appendChild(make("h2", { tabindex: "-1" }, say.title));
      tell(apart.length ? say.apart : say.together, apart, function (r) {
        return kinds.filter(function (kind, k) { return r.criteria[k] !== now[0].criteria[k]; }).join(say.and);
      });
      if (sizes.length) tell(say.sizes, sizes, function (r) { return r.size + " (" + say.isbase + ": " + now[0].size + ")"; });
      if (again.length) tell(say.recompute, again, function (r) { return r.again + " (" + say.isbase + ": " + now[0].again + ")"; });
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
      if (rows[key]) return first.prepend(rows[key].box.parentNode); // drawn again
      var heads = table.heads = table.heads || all("thead th", table).map(function (th) { return [].slice.call(th.childNodes).map(function (n) { return n.cloneNode(true); }); });
      var r = rows[key] = { key: key, head: [].slice.call(first.children).filter(function (e) { return e.className !== "why"; }), name: all("a:not(.why a), .by, .again, .conf", first).map(function (e) { return e.textContent.trim(); }).join(" ").replace(/\s+/g, " "), state: row.parentNode.querySelector(".state"),
        withdrawn: !!row.parentNode.querySelector(".state.withdrawn"), group: row.dataset.group, size: row.dataset.size, again: row.dataset.recompute, criteria: row.dataset.criteria.split("\t"), cells: Object.create(null), heads: Object.create(null), columns: [] };
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
       for its first row. What is not there is not compared, which is said; so is what only a place names.
       An address is anybody's text: only what has the form of a row, of a result that is here, is shown of it. */
    var ROW = /^\d+\.\d+(-[0-9a-f]{32})?$/;
    function find(key) {
      var at = key.indexOf(":"), of = at < 0 ? key + ":" : key.slice(0, at + 1), dash = key.indexOf("-", of.length);
      var own = names.filter(function (k) { return k.indexOf(of) === 0; });
      var same = own.filter(function (k) { return dash < 0 ? k === key || k.indexOf(key + "-") === 0 : k.slice(k.indexOf("-", of.length)) === key.slice(dash); });
      var one = at < 0 ? own[0] : rows[key] ? key : same.length === 1 ? same[0] : "";
      if (!one) told[own.length && ROW.test(key.slice(of.length)) && "whole" in say ? "lost" : "gone"].push(key);
      else if (same.length > 1 || at >= 0 && dash < 0 && one !== key) told.unsure.push(one);
      return one;
    }
    chosen = (say.there ? wanted : wanted.map(find)).filter(function (key, k, list) { return key && list.indexOf(key) === k; });
    document.getElementById("main").appendChild(bar);
    show();
    Object.keys(told).forEach(function (what) {
      var keys = told[what].map(function (key) { return key.replace(/(:[^-]*)-.*/, "$1"); });
      if (keys.length) place.insertBefore(make("p", { "class": "note", role: "status" }, fill(say[what], keys.length).replace("{rows}", function () { return keys.join(say.and); })), place.firstChild);
    });
    if (chosen.length > 1 && !say.there && !location.hash) place.scrollIntoView();
    place.picks = box;
    place.read = read;
    place.show = show;
  }
