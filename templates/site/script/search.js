  /* ---- search: what is there is there, to the character. Pages stand in the list; results are lines
     of text (renderer/site/search.c), and only the first that are found become elements. ---- */
  var SHOWN = 100;
  function read(text) {
    var parts = text.split("\n\n").map(function (p) { return p.split("\n").filter(Boolean).map(function (l) { return l.split("\t"); }); }), title = [];
    function about(i) { return i === "" ? [] : parts[1][i]; }
    return (parts[2] || []).map(function (r) {
      var vendor = about(r[0]), state = parts[0][r[2]], model = about(r[3]), card = about(r[4]);
      if (r[6] !== "\"") title = r.slice(6);
      var runs = r[5].split(" ").map(about);
      var name = vendor[1] + " · " + r[1], path = vendor[0] + "/" + r[1];
      return { path: path, name: name, model: model[0], state: state, order: +r[2], head: fold(name + " " + path + " " + vendor.join(" ")),
        more: [vendor[0], title[0], model[1], card[1]].filter(Boolean).join(" · "),
        text: fold([name, path].concat(vendor, model, card, title, state, runs.map(function (c) { return c.slice(1).join("\n"); })).join("\n")),
        runs: runs.map(function (c) { return (c[0] || "").split(" "); }) };
    });
  }
  /* "8 cards" is one word, of what rows run on; where a text has it, it is found there as well. */
  var COUNT = /\b\d+ (?:card|node)s?\b/.source;
  function phrases(text) { return text.match(new RegExp(COUNT + "|\\S+?(?=\\s|$|" + COUNT + ")", "g")) || []; }
  /* Names for one thing (templates/site/aliases.txt): who asks for one of them finds what has another. */
  function aliases(text) {
    var lines = text.split("\n").filter(Boolean).map(function (l) { return l.split(",").map(function (w) { return fold(w.trim()); }); });
    return function (word) {
      return lines.reduce(function (found, l) { return l.indexOf(word) < 0 ? found : found.concat(l); }, [word]);
    };
  }
  function holds_meant(text, wanted, meant) {
    return wanted.every(function (w) { return meant(w).some(function (m) { return holds(text, [m]); }); });
  }
  function finds(r, wanted, meant) {
    return wanted.every(function (w) {
      var n = /^(\d+) (node|card)/.exec(w);
      if (!n) return holds_meant(r.text, [w], meant);
      return r.runs.some(function (c) { return c[n[2] === "card" ? 1 : 0] === n[1]; }) || new RegExp("(^|\\D)" + w).test(r.text);
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
    var meant = aliases(main.querySelector("template.aliases").content.textContent);
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
      var text = fold(input.value).trim(), wanted = words(text), phrased = phrases(text);
      items.forEach(function (i) { i.hit = holds_meant(i.text, wanted, meant); i.e.hidden = !i.hit; i.rank = wanted.length ? rank(i.names, text) : 0; });
      items.slice().sort(function (a, b) { return a.rank - b.rank || a.k - b.k; }).forEach(function (i) { pages.appendChild(i.e); });
      pages.hidden = pages.previousElementSibling.hidden = !items.some(function (i) { return i.hit; });
      var hits = wanted.length ? results.filter(function (r) { return finds(r, phrased, meant); }) : [];
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
