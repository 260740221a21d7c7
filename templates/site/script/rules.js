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
