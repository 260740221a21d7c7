/*
 * Values of a chart under the cursor and by arrow keys. A drawing (renderer/charts/chart.h) says in data-x
 * and data-y how values become places, and in data-p what they are at some steps; the narrow
 * drawing reads those of the wide one before it. What is read stands in one <output> below both.
 */
(function () {
  'use strict';

  function words(e, name) { return (e.getAttribute(name) || '').split(' '); }

  /* From a value to a place: "low high from to[ log]". */
  function scale(e, name) {
    var s = words(e, name), f = s[4] === 'log' ? Math.log : Number;
    s = s.map(Number);
    return {
      at: function (v) {
        v = Math.min(Math.max(v, s[0]), s[1]);
        return s[2] + (f(v) - f(s[0])) / (f(s[1]) - f(s[0])) * (s[3] - s[2]);
      },
      from: s[2], to: s[3]
    };
  }

  function text(v) { return String(+v).replace('-', '\u2212'); }

  function add(parent, name, attributes) {
    var e = document.createElementNS('http://www.w3.org/2000/svg', name), k;
    for (k in attributes) e.setAttribute(k, attributes[k]);
    return parent.appendChild(e);
  }

  function readout(wide) {
    var last = wide.nextElementSibling;
    if (!wide.readout) {
      if (!last || !last.matches('svg.chart-narrow')) last = wide;
      wide.readout = document.createElement('output');
      wide.readout.className = 'chart-readout';
      last.parentNode.insertBefore(wide.readout, last.nextSibling);
    }
    return wide.readout;
  }

  function hover(svg) {
    var wide = svg.matches('.chart-narrow') ? svg.previousElementSibling : svg;
    if (!wide || !wide.hasAttribute('data-p')) return;
    var output = readout(wide), x = scale(svg, 'data-x'), steps = words(wide, 'data-p').map(Number);
    var sources = wide.querySelectorAll('.chart-line'), n = 0, at = -1, marks;
    var panels = [].map.call(svg.querySelectorAll('.chart-panel'), function (panel) {
      var lines = [].map.call(panel.querySelectorAll('.chart-line'), function (line) {
        return { name: line.getAttribute('data-name'), colour: line.getAttribute('stroke'),
          values: words(sources[n++], 'data-p') };
      });
      return { name: panel.getAttribute('data-name'), y: scale(panel, 'data-y'), lines: lines };
    });
    svg.setAttribute('tabindex', '0');

    function hide() {
      if (marks) marks.remove();
      marks = null;
      at = -1;
      output.textContent = '';
    }
    function show(i) {
      hide();
      at = Math.min(Math.max(i, 0), steps.length - 1);
      marks = add(svg, 'g', { 'class': 'chart-cursor', 'pointer-events': 'none' });
      var place = x.at(steps[at]), told = [svg.getAttribute('data-name') + ' ' + text(steps[at])];
      panels.forEach(function (p) {
        var here = p.lines.filter(function (l) { return l.values[at] && l.values[at] !== '-'; });
        add(marks, 'line', { x1: place, x2: place, y1: p.y.from, y2: p.y.to,
          stroke: 'currentColor', 'stroke-opacity': '.5' });
        here.forEach(function (l) {
          add(marks, 'circle', { cx: place, cy: p.y.at(l.values[at]), r: 3.5, fill: l.colour,
            stroke: 'var(--chart-ground,Canvas)' });
        });
        if (here.length) told.push(p.name + ': ' + here.map(function (l) {
          return (l.name ? l.name + ' ' : '') + text(l.values[at]);
        }).join(', '));
      });
      output.textContent = told.join(' \u00b7 ');
    }
    svg.addEventListener('pointermove', function (e) {
      var p = new DOMPoint(e.clientX, e.clientY).matrixTransform(svg.getScreenCTM().inverse()), best = 0;
      steps.forEach(function (s, i) {
        if (Math.abs(x.at(s) - p.x) < Math.abs(x.at(steps[best]) - p.x)) best = i;
      });
      show(best);
    });
    svg.addEventListener('pointerleave', hide);
    svg.addEventListener('blur', hide);
    svg.addEventListener('keydown', function (e) {
      var to = { ArrowLeft: at < 0 ? steps.length - 1 : at - 1, ArrowRight: at + 1, Home: 0,
        End: steps.length - 1, PageUp: at - 10, PageDown: at + 10 }[e.key];
      if (e.key === 'Escape') hide();
      if (to === undefined) return;
      e.preventDefault();
      show(to);
    });
  }
  document.querySelectorAll('svg.chart[data-x]').forEach(hover);

  /* Bars and points have titles: a pointer shows them, and arrow keys go from one to the next. */
  function stepping(svg) {
    var wide = svg.matches('.chart-narrow') ? svg.previousElementSibling : svg, at = -1, frame;
    /* As they stand now: a table that is sorted or filtered moves them. */
    function shown() {
      return [].filter.call(svg.querySelectorAll('* > title'), function (t) { return t.parentNode !== svg && !t.closest('[display]'); });
    }
    var marks = shown();
    if (!marks.length || !wide) return;
    svg.setAttribute('tabindex', '0');
    function hide() {
      if (frame) frame.remove();
      frame = null;
      at = -1;
      readout(wide).textContent = '';
    }
    function show(i) {
      if (!marks.length) return;
      var mark = marks[Math.min(Math.max(i, 0), marks.length - 1)], box = mark.parentNode.getBBox();
      hide();
      at = marks.indexOf(mark);
      frame = add(svg, 'rect', { x: box.x - 3, y: box.y - 3, width: box.width + 6, height: box.height + 6, rx: 3,
        transform: mark.parentNode.getAttribute('transform') || 'translate(0,0)', fill: 'none', stroke: 'currentColor', 'stroke-opacity': '.6', 'pointer-events': 'none' });
      readout(wide).textContent = mark.textContent;
    }
    svg.addEventListener('pointermove', function (e) {
      var on = (marks = shown()).filter(function (t) { return t.parentNode.contains(e.target); })[0];
      if (on) show(marks.indexOf(on));
    });
    svg.addEventListener('pointerleave', hide);
    svg.addEventListener('blur', hide);
    svg.addEventListener('keydown', function (e) {
      marks = shown();
      var last = marks.length - 1, to = { ArrowLeft: at < 0 ? last : at - 1, ArrowUp: at < 0 ? last : at - 1,
        ArrowRight: at + 1, ArrowDown: at + 1, Home: 0, End: last }[e.key];
      if (e.key === 'Escape') hide();
      if (to === undefined) return;
      e.preventDefault();
      show(to);
    });
  }
  document.querySelectorAll('svg.chart:not([data-x])').forEach(stepping);

  /* The drawing as a file: its colours as they are now, its words in any face that a reader has. */
  function drawn(svg) {
    var copy = svg.cloneNode(true), style = getComputedStyle(svg), box = svg.viewBox.baseVal;
    var ground = getComputedStyle(document.body).backgroundColor;
    copy.setAttribute('width', box.width);
    copy.setAttribute('height', box.height);
    copy.setAttribute('color', style.color);
    copy.removeAttribute('tabindex');
    copy.removeAttribute('class');
    [].forEach.call(copy.querySelectorAll('*'), function (e) {
      [].forEach.call(e.attributes, function (a) {
        a.value = a.value.replace(/var\((--[\w-]+)(?:,[^()]*)?\)/g, function (whole, name) { return style.getPropertyValue(name).trim() || whole; });
      });
    });
    copy.insertBefore(add(copy, 'rect', { x: box.x, y: box.y, width: box.width, height: box.height, fill: ground }), copy.firstChild);
    return new Blob([new XMLSerializer().serializeToString(copy)], { type: 'image/svg+xml' });
  }
  function save(blob, name) {
    var a = document.createElement('a');
    a.href = URL.createObjectURL(blob);
    a.download = name;
    a.click();
    setTimeout(function () { URL.revokeObjectURL(a.href); }, 1000);
  }
  function save_png(svg, name) {
    var image = new Image(), box = svg.viewBox.baseVal, canvas = document.createElement('canvas');
    image.onload = function () {
      canvas.width = box.width * 2;
      canvas.height = box.height * 2;
      canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
      URL.revokeObjectURL(image.src);
      canvas.toBlob(function (blob) { save(blob, name); });
    };
    image.src = URL.createObjectURL(drawn(svg));
  }
  document.querySelectorAll('.drawing svg.chart-wide').forEach(function (svg) {
    var last = svg.nextElementSibling, bar = document.createElement('p'), title = svg.querySelector('title');
    var name = title.textContent.trim().replace(/[^\p{L}\p{N}]+/gu, '-');
    if (!last || !last.matches('svg.chart-narrow')) last = svg;
    bar.className = 'save';
    bar.textContent = document.body.dataset.save;
    ['SVG', 'PNG'].forEach(function (kind) {
      var b = document.createElement('button');
      b.type = 'button';
      b.textContent = kind;
      b.setAttribute('aria-label', kind + ': ' + title.textContent.trim());
      b.addEventListener('click', function () {
        if (kind === 'SVG') save(drawn(svg), name + '.svg');
        else save_png(svg, name + '.png');
      });
      bar.append(' ', b);
    });
    last.parentNode.insertBefore(bar, last.nextSibling);
  });
})();
