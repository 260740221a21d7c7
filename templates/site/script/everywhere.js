  /* ---- all rows of a list with several pages: scripts of them (renderer/site/row_script.c), each loaded by
     its element, since a page from a folder may read no file. Rows that are shown become elements like
     those of the page: the first, and more as the reader comes to their end. ---- */
  var everywhere = (function () {
    var STEP = 40, ASKED = 400, parts = [], states = [], columns = Object.create(null), watch = null;
    window.fpreportRows = function (number, of_states, rows) {
      states = of_states.split("\n").map(function (l) { return l.split("\t"); });
      parts[number - 1] = rows.split("\n").filter(Boolean).map(record);
    };
    function figure(text) {
      var f = text.split("\x1f");
      return { text: f[0], v: f[1] ? +f[1] : null, form: f[2] || "", wrong: !!f[3], mark: f[4], unit: f[5] || "", none: f.length < 2 };
    }
    function record(line) {
      var f = line.split("\t"), r = { f: f, state: states[+f[0]][0], order: +f[0], vendor: f[4], model: f[7], accelerator: f[9], group: f[6] + " " + f[13], flags: f[29] };
      r.throughput = figure(f[23]);
      r.mfu_cell = figure(f[24]);
      r.loss = figure(f[25]);
      r.memory = figure(f[26]);
      r.rate = r.throughput.wrong ? null : r.throughput.v;
      r.mfu = r.mfu_cell.wrong ? null : r.mfu_cell.v;
      r.figures = [r.throughput, r.mfu_cell].some(function (x) { return !x.none; });
      r.text = fold([f[6], f[5], f[15], f[21], f[8], f[10], f[12], f[16], f[17], r.throughput.text, r.mfu_cell.text, states[r.order][2], f[4]].join(" "));
      r.mark = f[4] + "/" + f[6] + ":" + f[3];
      r.said = [f[5], f[6], f[10], f[15]].filter(Boolean).join(" · ") + ", " + states[r.order][2];
      r.names = function (key) { return key === "state" ? states[r.order][2] : { vendor: f[5], model: f[8], accelerator: f[10] }[key]; };
      return r;
    }
    function load(table, then) {
      var left = 0, n = +table.dataset.scripts;
      function done() {
        if (--left) return;
        everywhere.items = [].concat.apply([], parts);
        everywhere.items.forEach(function (r, i) { r.at = i; });
        then(everywhere.items);
      }
      if (table.asked) return;
      table.asked = true;
      for (var i = 1; i <= n; i++) {
        var s = make("script", { src: table.dataset.from + i + ".js" });
        left++;
        s.addEventListener("load", done);
        document.head.appendChild(s);
      }
    }
    function none(text) { return make("em", { "class": "none" }, text); }
    function mark(kind) {
      var legend = document.querySelector(".legend .mark." + kind), small = make("small", { "class": "mark " + kind });
      small.textContent = legend ? legend.textContent : "";
      return small;
    }
    function put(cell, x) {
      cell.className = "number";
      if (x.none) cell.appendChild(none(x.text));
      else cell.appendChild(make("span", { "class": "value" }, x.text));
      if (x.v !== null) cell.dataset.v = x.v;
      if (x.form) cell.dataset.form = x.form;
      if (x.wrong) cell.dataset.wrong = "";
      if (x.unit) cell.appendChild(make("small", { "class": "unit" }, x.unit));
      if (!x.none && x.mark) cell.appendChild(mark(x.mark));
    }
    function link(cell, href, text) { cell.appendChild(make("a", { href: document.body.dataset.root + href }, text)); }
    function words_or_none(cell, text, is_none) { if (is_none) cell.appendChild(none(text)); else cell.textContent = text; }
    /* What stands in the column of this key. */
    var cells = {
      accelerator: function (td, r) { td.className = "said card"; if (r.f[9]) link(td, "accelerator/" + r.f[9] + "/index.html", r.f[10]); else words_or_none(td, r.f[10], r.flags.indexOf("c") >= 0); },
      cards: function (td, r) { td.className = "number said"; words_or_none(td, r.f[11], r.flags.indexOf("n") >= 0); if (+r.f[11]) td.dataset.v = r.f[11]; },
      precision: function (td, r) { td.className = "said"; words_or_none(td, r.f[12], r.flags.indexOf("p") >= 0); },
      throughput: function (td, r) { put(td, r.throughput); },
      mfu: function (td, r) { put(td, r.mfu_cell); },
      loss: function (td, r) { put(td, r.loss); },
      memory: function (td, r) { put(td, r.memory); },
      deviation: function (td, r) { var d = r.f[27].split("\x1f"); put(td, { text: d[0], v: d[1] ? +d[1] : null, mark: d[2], none: !d[1] }); },
      software: function (td, r) { td.className = "origin"; words_or_none(td, r.f[17], r.flags.indexOf("s") >= 0); },
      date: function (td, r) { td.className = "origin"; td.textContent = r.f[18]; },
      evidence: function (td, r) { td.className = "origin"; if (r.flags.indexOf("e") >= 0) td.appendChild(none(r.f[19])); else link(td, r.f[1] + "index.html#evidence", r.f[19]); }
    };
    function element(r, heads) {
      var f = r.f, tr = make("tr", { "data-row": r.mark, "data-criteria": f[22].replace(/\x1f/g, "\t"), "data-group": r.group, "data-vendor": f[4], "data-model": f[7], "data-name": f[8], "data-accelerator": f[9] });
      var th = make("th", { scope: "row" }), by = make("span", { "class": "by" }, f[5]), conf = make("span", { "class": "conf" }, [f[15], f[21]].filter(Boolean).join(" · ")), why = f[28].split("\x1f");
      link(th, f[1] + "index.html#" + f[2], f[6]);
      th.append(" ", by, " ", conf);
      if (why[0]) {
        var told = make("span", { "class": "why" }, "✕ ");
        link(told, "rules/index.html#" + why[0], why[0]);
        told.append(" " + why[1]);
        th.append(" ", told);
      }
      if (f[20] && r.flags.indexOf("n") < 0) tr.dataset.size = f[20];
      if (f[14]) tr.dataset.recompute = f[14];
      tr.appendChild(th);
      heads.slice(1).forEach(function (h) {
        var td = make("td", { "data-label": h.textContent.trim() });
        cells[h.dataset.key](td, r);
        tr.appendChild(td);
      });
      return tr;
    }
    /* Of all rows what a column is sorted by, as numbers, made when it is asked for first: words by their
       place among all words, figures with the place of what they may be compared with; NaN: no value. */
    function ranks(texts) {
      var place = new Map(), by = new Intl.Collator(root.lang).compare;
      Array.from(new Set(texts)).sort(by).forEach(function (text, i) { place.set(text, i); });
      return Float64Array.from(texts, function (text) { return text ? place.get(text) : NaN; });
    }
    function column(key) {
      var of = { result: 6, accelerator: 10, precision: 12, software: 17, date: 18, evidence: 19 }[key], list = everywhere.items;
      if (columns[key]) return columns[key];
      if (of) return columns[key] = { v: ranks(list.map(function (r) { return r.f[of]; })) };
      if (key === "cards") return columns[key] = { v: Float64Array.from(list, function (r) { return +r.f[11] || NaN; }) };
      return columns[key] = {
        v: Float64Array.from(list, function (r) { var f = key === "deviation" ? r.f[27].split("\x1f")[1] : (key === "mfu" ? r.mfu_cell : r[key]).v; return f === null || f === "" || f === undefined ? NaN : +f; }),
        among: ranks(list.map(function (r) { return r.group + "\n" + (key === "deviation" ? "" : (key === "mfu" ? r.mfu_cell : r[key]).unit); }))
      };
    }
    /* In the order that the head of a column asks for: states stay apart, figures among what may be compared. */
    function ordered(table, found) {
      var from = /^(-?)(\w+)$/.exec(table.order ? table.order.value : ""), sign = from && from[1] ? -1 : 1, by = from && column(from[2]);
      if (!from) return found;
      return found.slice().sort(function (x, y) {
        var a = by.v[x.at], b = by.v[y.at], none = (a !== a) - (b !== b);
        return x.order - y.order || none || (a !== a ? 0 : by.among && by.among[x.at] - by.among[y.at] || sign * (a - b)) || x.at - y.at;
      });
    }
    /* The first rows; the others as the reader comes to them, or asks for them. */
    function show(table, found) {
      var heads = all("thead th", table), body = null, state = null, list = ordered(table, found), picked = document.querySelector(".compare-any"), counts = {}, at = 0;
      var from = /^-?(\w+)$/.exec(table.order ? table.order.value : ""), by = from && column(from[1]);
      if (watch) watch.disconnect();
      all("tbody", table).forEach(function (b) { b.remove(); });
      list.forEach(function (r) { counts[r.state] = (counts[r.state] || 0) + 1; });
      function begin(r) {
        var s = states[r.order], tr = make("tr", { "class": "group" }), th = make("th", { scope: "rowgroup", colspan: heads.length }), word = make("span", { "class": "state " + s[0] });
        word.append(make("i", { "aria-hidden": "true" }, s[1]), " " + s[2]);
        th.append(word, " ", make("span", { "class": "count" }, counts[r.state]), " ", make("span", { "class": "meaning" }, s[3]));
        tr.appendChild(th);
        table.appendChild(body = make("tbody", { "data-state": s[0] }));
        body.appendChild(tr);
        state = r.state;
      }
      function rest() {
        var last = make("tbody", {}), line = make("tr", { "class": "group" }), cell = make("th", { colspan: heads.length, scope: "rowgroup" }), b = make("button", { type: "button" }, fill(table.dataset.more, list.length - at));
        function go() { last.remove(); more(); }
        b.addEventListener("click", function () {
          var first = at;
          go();
          all("tr[data-row] a", table).filter(function (a) { return a.closest("tr").at === first; }).slice(0, 1).forEach(function (a) { a.focus(); });
        });
        cell.appendChild(b);
        line.appendChild(cell);
        last.appendChild(line);
        table.appendChild(last);
        if (at % ASKED === 0) return; // what is below the list stays within reach
        watch = new IntersectionObserver(function (e) { if (e.some(function (x) { return x.isIntersecting; })) { watch.disconnect(); go(); } }, { rootMargin: "400px" });
        watch.observe(line);
      }
      function more() {
        for (var end = Math.min(at + STEP, list.length); at < end; at++) {
          var r = list[at], row = element(r, heads);
          if (r.state !== state) begin(r);
          row.at = at;
          row.among = by && by.among ? by.v[r.at] === by.v[r.at] ? by.among[r.at] : "" : null;
          body.appendChild(row);
          if (picked && picked.read) picked.read(row);
        }
        divide(table);
        if (at < list.length) rest();
      }
      more();
    }
    return { load: load, show: show };
  })();
