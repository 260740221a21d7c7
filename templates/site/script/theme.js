  var store = {
    get: function () { try { return localStorage.getItem("fpreport-theme"); } catch (e) { return null; } },
    set: function (v) { try { if (v) localStorage.setItem("fpreport-theme", v); else localStorage.removeItem("fpreport-theme"); } catch (e) { /* private window */ } }
  };
  function paint(theme) {
    if (theme === "light" || theme === "dark") root.dataset.theme = theme;
    else delete root.dataset.theme;
  }
  root.classList.add("live"); // what promises a control of ours is shown, what stands in for it is not
  paint(store.get()); // before the body is drawn: no flash

  /* ---- colours: each click changes them; those of the system are not kept as a choice ---- */
  function themes() {
    var dark = matchMedia("(prefers-color-scheme: dark)"), signs = { auto: "◐", light: "○", dark: "●" };
    all("button.theme").forEach(function (b) {
      function say() {
        var now = root.dataset.theme || "auto";
        b.textContent = signs[now];
        b.title = b.dataset[now];
        b.setAttribute("aria-label", b.title);
      }
      b.hidden = false;
      say();
      b.addEventListener("click", function () {
        var system = dark.matches ? "dark" : "light", next = (root.dataset.theme || system) === "dark" ? "light" : "dark";
        if (next === system) next = "";
        store.set(next);
        paint(next);
        say();
      });
    });
  }
  /* A link to the search becomes its field on every page but that of the search. */
  function finder(link) {
    var place = make("div", { "class": "finder", role: "search", "aria-label": link.textContent }), field = make("input", { type: "search", "aria-label": link.textContent, placeholder: link.textContent });
    field.addEventListener("keydown", function (e) {
      if (e.key === "Enter") location.href = link.href + (field.value.trim() ? "?q=" + encodeURIComponent(field.value.trim()) : "");
    });
    place.appendChild(field);
    link.replaceWith(place);
  }
