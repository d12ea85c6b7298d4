/* Parts of claims are folded on the screen and open on paper. */
(function () {
  "use strict";
  var opened = [];
  window.addEventListener("beforeprint", function () {
    opened = Array.prototype.slice.call(document.querySelectorAll("details:not([open])"));
    opened.forEach(function (part) { part.open = true; });
  });
  window.addEventListener("afterprint", function () {
    opened.forEach(function (part) { part.open = false; });
  });
})();

/* The boxes over the figures show and hide a strategy in all of them: its line, its name and the thread between. */
(function () {
  "use strict";
  var form = document.querySelector(".switches");
  if (!form) { return; }
  var bars = form.querySelector("input[data-intervals]");
  function hidden(name) {
    var box = name && form.elements.namedItem(name);
    return Boolean(box) && !box.checked;
  }
  function apply() {
    document.querySelectorAll(".study .plotly-graph-div").forEach(function (chart) {
      var visible = chart.data.map(function (trace) { return !hidden(trace.meta); });
      var places = {};
      ["annotations", "shapes"].forEach(function (kind) {
        (chart.layout[kind] || []).forEach(function (part, i) {
          places[kind + "[" + i + "].visible"] = !hidden(part.name);
        });
      });
      Plotly.update(chart, { visible: visible }, places);
      var barred = [];
      chart.data.forEach(function (trace, i) { if (trace.error_y) { barred.push(i); } });
      if (barred.length) { Plotly.restyle(chart, { "error_y.visible": bars.checked }, barred); }
    });
  }
  var thin = form.querySelectorAll("input[data-thin]"), button = form.querySelector("button");
  function seen() {
    if (!button) { return; }
    var none = Array.prototype.every.call(thin, function (box) { return !box.checked; });
    button.setAttribute("aria-pressed", String(none));
  }
  if (button) {
    button.addEventListener("click", function () {
      var show = button.getAttribute("aria-pressed") === "true";
      thin.forEach(function (box) { box.checked = show; });
      seen();
      apply();
    });
  }
  form.addEventListener("change", function () { seen(); apply(); });
  form.addEventListener("submit", function (event) { event.preventDefault(); });
  if (form.querySelector("input:not(:checked)")) { seen(); apply(); } /* a browser keeps boxes over a reload */
})();
