/* Loads the page again when the site was built, and says when a build found errors. */
(() => {
  "use strict";
  const here = document.currentScript.dataset.build;
  const own = location.pathname.startsWith("/.fpreport/");
  const say = () => {
    const bar = document.createElement("a");
    bar.href = "/.fpreport/build.html";
    bar.id = "fpreport-build";
    bar.textContent = "The last build found errors: show them";
    Object.assign(bar.style, {
      position: "fixed", insetInline: "0", bottom: "0", zIndex: "9999", padding: "0.6em 1em",
      background: "#8b1a1a", color: "#ffffff", font: "16px/1.4 sans-serif", textAlign: "center",
    });
    document.body.append(bar);
  };
  new EventSource("/.fpreport/events").onmessage = (event) => {
    const [build, state] = event.data.split(" ");
    if (build !== here) location.reload();
    else if (state === "bad" && !own && !document.getElementById("fpreport-build")) say();
  };
})();
