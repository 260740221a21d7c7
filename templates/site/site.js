/* What the site can do beyond being read: colours by choice, sorting, filtering, searching, comparing.
   Everything it works on is in the page already; without it nothing is missing. No request is made. */
"use strict";
(function () {
  var root = document.documentElement;
{{>site/script/theme.js}}
{{>site/script/common.js}}
{{>site/script/sort.js}}
{{>site/script/everywhere.js}}
{{>site/script/points.js}}
{{>site/script/filter.js}}
{{>site/script/facets.js}}
{{>site/script/rules.js}}
{{>site/script/search.js}}
{{>site/script/compare.js}}
{{>site/script/pictures.js}}

  document.addEventListener("DOMContentLoaded", function () {
    themes();
    tongues(location.search);
    all("body:not(.page-search) a.finder").forEach(finder);
    all(".compare-any").slice(0, 1).forEach(comparing);
    all(".pictures").forEach(pictured);
    filterable(all("table[data-filter]"));
    if (!document.querySelector("table[data-filter]")) all("table[data-facets]").forEach(faceted);
    all("table[data-sort]").forEach(sortable);
    all(".search-box").forEach(search);
    all(".rules[data-filter]").forEach(choosing);
    if (location.hash) {
      var target = null;
      try { target = document.getElementById(decodeURIComponent(location.hash.slice(1))); } catch (e) { /* no address of ours */ }
      if (target) target.scrollIntoView();
    }
  });
  /* Paper has what is folded, also where the style sheet cannot unfold it (docs/SITE.md). */
  var unfolded = [];
  window.addEventListener("beforeprint", function () { unfolded = all("details:not([open])"); unfolded.forEach(function (d) { d.open = true; }); });
  window.addEventListener("afterprint", function () { unfolded.forEach(function (d) { d.open = false; }); });
})();
document.addEventListener("DOMContentLoaded", function () {
{{>site/script/chart.js}}
});
