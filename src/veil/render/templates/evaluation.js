"use strict";
(() => {
  const filters = document.getElementById("filters");
  if (!filters) return;
  const items = [...document.querySelectorAll("ol.errors > li")].map((element) => ({
    element,
    kind: element.dataset.kind,
    leak: element.dataset.leak === "1",
    labels: element.dataset.labels.split("\t"),
    text: element.textContent.toLowerCase(),
  }));
  const buttons = [...filters.querySelectorAll("button")];
  const label = filters.querySelector("select");
  const search = filters.querySelector("input");
  const output = filters.querySelector("output");
  let show = "all";

  function update() {
    const wanted = search.value.trim().toLowerCase();
    let count = 0;
    for (const item of items) {
      const visible =
        (show === "all" || (show === "leak" ? item.leak : item.kind === show)) &&
        (!label.value || item.labels.includes(label.value)) &&
        (!wanted || item.text.includes(wanted));
      item.element.hidden = !visible;
      count += visible;
    }
    output.textContent = `${count.toLocaleString("en")} of ${items.length.toLocaleString("en")}`;
  }

  for (const button of buttons) {
    button.addEventListener("click", () => {
      show = button.dataset.show;
      for (const other of buttons) other.setAttribute("aria-pressed", String(other === button));
      update();
    });
  }
  label.addEventListener("change", update);
  search.addEventListener("input", update);
  filters.addEventListener("submit", (event) => event.preventDefault());
  filters.hidden = false;
  update();
})();
