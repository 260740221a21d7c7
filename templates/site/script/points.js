  /* ---- the points of the results (renderer/charts/scatter.h, data-frame): those of the rows that a filter
     leaves. Rows of the page have theirs drawn already; rows of all pages get new ones. ---- */
  function plotted(figure) {
    var MOST = 300, note = figure.querySelector("figcaption"), drawings = all("svg[data-frame]", figure).map(function (svg) {
      var f = svg.dataset.frame.split(" ").map(Number), signs = {};
      all("[data-sign]", svg).forEach(function (s) { signs[s.dataset.sign] = s; });
      function within(share) { return Math.min(Math.max(share, 0), 1); }
      return { svg: svg, signs: signs, place: function (mfu, rate) {
        return [f[0] + within((mfu - f[4]) / (f[5] - f[4])) * (f[1] - f[0]),
          f[2] + within(Math.log(rate / f[6]) / Math.log(f[7] / f[6])) * (f[3] - f[2])];
      } };
    });
    function put(d, layer, r) {
      var sign = d.signs[r.order], at, from;
      if (!sign) return;
      at = d.place(r.mfu_cell.v, r.throughput.v);
      from = sign.dataset.at.split(" ");
      sign = sign.cloneNode(true);
      sign.removeAttribute("data-sign");
      sign.removeAttribute("data-at");
      sign.setAttribute("data-mark", r.mark);
      sign.setAttribute("transform", "translate(" + (at[0] - from[0]).toFixed(1) + " " + (at[1] - from[1]).toFixed(1) + ")");
      var title = document.createElementNS(d.svg.namespaceURI, "title");
      title.textContent = r.said + ": " + r.throughput.text + " " + figure.dataset.unit + ", " + r.mfu_cell.text + " % MFU";
      sign.insertBefore(title, sign.firstChild);
      layer.appendChild(sign);
    }
    /* Only the drawing that is shown, the wide or the narrow one. */
    function draw(has) {
      drawings.forEach(function (d) {
        if (d.drawn === has || !d.svg.getClientRects().length) return;
        all("[data-mark]", d.svg).forEach(function (m) { m.remove(); });
        var layer = document.createDocumentFragment();
        has.forEach(function (r) { put(d, layer, r); });
        d.svg.appendChild(layer);
        d.drawn = has;
      });
    }
    var has = null;
    addEventListener("resize", function () { if (has) draw(has); });
    addEventListener("beforeprint", function () { if (has) draw(has); });
    return function (found, everywhere) {
      var n = 0;
      if (everywhere) {
        has = [];
        for (var i = 0; i < found.length && has.length < MOST; i++) {
          var r = found[i];
          if (r.order !== 4 && r.throughput.v > 0 && !r.throughput.unit && r.mfu_cell.v !== null) has.push(r);
        }
        draw(has);
        n = has.length;
      } else n = all("[data-mark]:not([display])", drawings[0].svg).length;
      note.textContent = fill(figure.dataset.drawn, n, found.length);
    };
  }
