// The plots of the camera's page, drawn as SVG from figures. Beside each its figures stand in words as well.

import { draw } from "/ui/elements.js";
import { words } from "/ui/words.js";

const path = (points) => points.map(([x, y], at) => `${at ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");
const textSize = () => Number.parseFloat(getComputedStyle(document.documentElement).fontSize) * 0.75;

const label = (text, properties) => {
  const element = draw("text", { "font-size": textSize(), ...properties });
  element.textContent = text;
  return element;
};

/// A plot as large as its place, drawn anew when that or its figures change, so that words keep their size.
const plot = (svg, title, drawing) => {
  svg.querySelector("title").textContent = title;
  let figures = null;
  const show = () => {
    const { width, height } = svg.getBoundingClientRect();
    if (!width || !height || !figures) return;
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    svg.replaceChildren(svg.querySelector("title"), ...drawing(figures, width, height));
  };
  new ResizeObserver(show).observe(svg);
  return (next) => {
    figures = next;
    show();
  };
};

/// The time between frames over the last minute as a line, and a dot for each frame that came late.
///
/// Time goes to the right in all languages, as in all plots. What took longer than three times lies at the upper edge.
export const pacingPlot = (svg) => plot(svg, words("pacingTitle"), ({ wanted, line, late }, width, height) => {
  const size = textSize();
  const [left, top, bottom] = [size * 2.9, 8, height - size * 1.7];
  const step = wanted ?? 1000 / 30;
  const x = (age) => width - 4 - (width - left - 4) * Math.min(Math.max(age / 60, 0), 1);
  const y = (duration) => bottom - (bottom - top) * Math.min(Math.max(duration / (3 * step), 0), 1);
  const parts = [];
  for (const times of [0, 1, 2, 3]) {
    const value = times * step;
    parts.push(draw("line", { class: "frame", x1: left, x2: width, y1: y(value), y2: y(value) }),
      label(value.toFixed(value < 10 && value > 0 ? 1 : 0), { x: left - 6, y: y(value) + size / 3, "text-anchor": "end" }));
  }
  for (const [age, text, anchor] of [[60, words("ago", { count: 60 }), "start"], [30, "30 s", "middle"], [0, words("now"), "end"]]) {
    parts.push(label(text, { x: x(age), y: height - 2, "text-anchor": anchor }));
  }
  for (const part of line) parts.push(draw("path", { class: "times", d: path(part.map(([age, value]) => [x(age), y(value)])) }));
  for (const [age, value] of late) parts.push(draw("circle", { class: "late", cx: x(age), cy: y(value), r: 4.5 }));
  return parts;
});

/// How often each brightness occurs: the three colours as lines over the whole as an area.
export const histogramPlot = (svg) => plot(svg, words("brightnessTitle"), ({ luma, red, green, blue }, width, height) => {
  const bottom = height - textSize() * 1.7;
  const most = Math.max(...red, ...green, ...blue, ...luma) || 1;
  const points = (values) => values.map((value, at) => [width * at / (values.length - 1), bottom - (bottom - 6) * value / most]);
  const parts = [];
  if (luma.length) parts.push(draw("path", { class: "all", d: `${path(points(luma))}L${width} ${bottom}L0 ${bottom}Z` }));
  for (const at of [0.25, 0.5, 0.75]) parts.push(draw("line", { class: "frame", x1: width * at, x2: width * at, y1: 6, y2: bottom }));
  for (const [values, name] of [[red, "red"], [green, "green"], [blue, "blue"]]) parts.push(draw("path", { class: name, d: path(points(values)) }));
  parts.push(draw("line", { class: "frame", x1: 0, x2: width, y1: bottom, y2: bottom }),
    label(words("dark"), { x: 0, y: height - 2, "text-anchor": "start" }),
    label(words("bright"), { x: width, y: height - 2, "text-anchor": "end" }));
  return parts;
});
