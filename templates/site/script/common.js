  function make(tag, attributes, text) {
    var e = document.createElement(tag);
    for (var k in attributes) e.setAttribute(k, attributes[k]);
    if (text !== undefined) e.textContent = text;
    return e;
  }
  /* A text of ours: {m}, {n}, and of {n|row|rows} the first where n is 1. */
  function fill(text, n, m) {
    return text.replace(/\{n\|([^|}]*)\|([^}]*)\}/g, n === 1 ? "$1" : "$2").replace("{n}", n).replace("{m}", m);
  }
  function all(selector, from) { return Array.prototype.slice.call((from || document).querySelectorAll(selector)); }

  var asked = new URLSearchParams(location.search), kept = {};

  function fold(text) { return text.normalize("NFKC").toLowerCase(); }
  function words(text) { return text.toLowerCase().split(/\s+/).filter(Boolean); }
  function holds(text, wanted) { return wanted.every(function (w) { return text.indexOf(w) >= 0; }); }
  function address(state) {
    var q = new URLSearchParams(), k, s;
    for (k in state) kept[k] = state[k];
    for (k in kept) if (kept[k]) q.set(k, kept[k]);
    s = q.toString().replace(/%2F/g, "/").replace(/%2C/g, ",").replace(/%3A/g, ":");
    try { history.replaceState(null, "", location.pathname + (s ? "?" + s : "") + location.hash); } catch (e) { /* file: */ }
    tongues(s);
  }
  /* The same page in the other language shows the same rows. */
  function tongues(query) {
    all("header a[hreflang]").forEach(function (a) { a.search = query; });
  }
