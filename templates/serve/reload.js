/* Loads the page again when the site was built, and says when a build found errors, which ones. */
(() => {
  "use strict";
  const here = document.currentScript.dataset.build;
  const own = location.pathname.startsWith("/.fpreport/");
  const add = (to, name, text, style) => {
    const element = document.createElement(name);
    element.textContent = text; /* what records say is text, whatever it looks like */
    Object.assign(element.style, style);
    to.append(element);
    return element;
  };
  const say = async () => {
    const answer = await fetch("/.fpreport/errors.txt");
    const errors = answer.ok ? await answer.text() : "";
    if (document.getElementById("fpreport-build")) return;
    const bar = add(document.body, "aside", "", {
      position: "fixed", insetInline: "0", bottom: "0", zIndex: "9999", padding: "0.6em 1em",
      maxHeight: "40vh", overflow: "auto", background: "#8b1a1a", color: "#ffffff",
      font: "16px/1.4 sans-serif",
    });
    bar.id = "fpreport-build";
    bar.setAttribute("role", "alert");
    add(bar, "a", "The last build found errors: show all that it said", { color: "#ffffff" })
      .href = "/.fpreport/build.html";
    add(bar, "pre", errors, {
      margin: "0.4em 0 0", padding: "0", whiteSpace: "pre-wrap", overflowWrap: "anywhere",
      font: "14px/1.4 monospace", color: "#ffffff", background: "none", border: "0",
    });
  };
  setInterval(async () => {
    const answer = await fetch("/.fpreport/state").catch(() => null); /* null: serve has ended */
    if (!answer?.ok) return;
    const [build, state] = (await answer.text()).trim().split(" ");
    if (build !== here) location.reload();
    else if (state === "bad" && !own && !document.getElementById("fpreport-build")) say();
  }, 500);
})();
