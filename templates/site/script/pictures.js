  /* ---- which figure the pictures of a model show: the address says which, the first of each group is
     shown where it has no such picture ---- */
  function pictured(place) {
    var names = Object.create(null), keys = [], bar = make("div", { "class": "switch" });
    all("[data-metric]", place).forEach(function (f) {
      if (!names[f.dataset.metric]) keys.push(f.dataset.metric);
      names[f.dataset.metric] = f.dataset.name;
    });
    if (keys.length < 2) return;
    function show(key) {
      all("details", place).forEach(function (group) {
        var own = all("[data-metric]", group), one = own.filter(function (f) { return f.dataset.metric === key; })[0] || own[0];
        own.forEach(function (f) { f.hidden = f !== one; });
      });
      all("button", bar).forEach(function (b) { b.setAttribute("aria-pressed", b.value === key); });
      address({ figure: key === keys[0] ? "" : key });
    }
    bar.appendChild(document.createTextNode(place.dataset.label));
    keys.forEach(function (key) {
      var b = make("button", { type: "button", value: key }, names[key]);
      b.addEventListener("click", function () { show(key); });
      bar.appendChild(b);
    });
    place.insertBefore(bar, place.firstChild);
    show(names[asked.get("figure")] ? asked.get("figure") : keys[0]);
    addEventListener("beforeprint", function () { all("[data-metric]", place).forEach(function (f) { f.hidden = false; }); });
  }
