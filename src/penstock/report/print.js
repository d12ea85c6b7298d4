/* Charts are drawn for the screen's width. For paper they are drawn again: two in a row, maps over the full width. */
(function () {
  "use strict";
  function charts() { return Array.prototype.slice.call(document.querySelectorAll(".plotly-graph-div")); }
  function forPaper() {
    charts().forEach(function (chart) {
      var size = chart.closest(".plot").dataset;
      chart.screenHeight = chart.screenHeight || chart.layout.height;
      Plotly.relayout(chart, { width: +size.paperWidth, height: +size.paperHeight, autosize: false });
    });
  }
  function forScreen() {
    charts().forEach(function (chart) {
      Plotly.relayout(chart, { width: null, height: chart.screenHeight, autosize: true });
    });
  }
  window.addEventListener("beforeprint", forPaper);
  window.addEventListener("afterprint", forScreen);
})();
