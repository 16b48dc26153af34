// The figures of the camera's page: numbers, plots and sentences, from the topic "statistics".

import { make } from "/ui/elements.js";
import { language, words } from "/ui/words.js";
import { histogramPlot, pacingPlot } from "/plots.js";

const element = (id) => document.getElementById(id);
const number = (digits) => {
  const format = new Intl.NumberFormat(language, { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return (value) => (Number.isFinite(value) ? format.format(value) : "–");
};
const [whole, tenths, hundredths] = [0, 1, 2].map(number);
const milliseconds = (value) => (value < 10 ? tenths : whole)(value);
const causes = ["lost", "corrupt", "starved", "late"];

const tile = (name, unit) => {
  const value = make("span");
  element("numbers").append(make("p", { className: "number" },
    make("b", {}, value, unit && make("small", { textContent: ` ${unit}` })), make("span", { textContent: words(name) })));
  return (text) => { value.textContent = text; };
};

const row = (cause, at) => {
  const [count, meter] = [make("b", { className: "figures" }), make("meter", { ariaLabel: words(`cause.${cause}`), min: 0 })];
  element("losses").append(make("li", { className: `k${(at + 1) % 4 + 1}` }, make("span", { textContent: words(`cause.${cause}`) }), count, meter));
  return (value, most) => {
    count.textContent = whole(value);
    // The largest first: a value above it would be cut.
    meter.max = Math.max(most, 1);
    meter.value = value;
  };
};

/// Words that stay the same aren't set again.
const say = (id, text) => {
  if (element(id).textContent !== text) element(id).textContent = text;
};

const pacingWords = ({ median, lateCount, latest }) => {
  if (median === undefined || median === null) return words("pacingNone");
  const late = lateCount && latest ? words("late", { count: lateCount, ms: milliseconds(latest[1]), seconds: whole(latest[0]) }) : words("noneLate");
  return `${words("mostly", { ms: milliseconds(median) })} ${late}`;
};

const lossWords = (frames, lost) => {
  if (!frames.produced) return words("lossesEmpty");
  const values = { count: lost, produced: whole(frames.produced) };
  return words(lost ? "lossesWords" : "lossesNone", values);
};

/// Shows reports from now on, by the function that it returns.
export const figures = () => {
  const [rate, jitter, share, watching] = [["frames", words("perSecond")], ["jitter", words("ms")], ["lostShare", "%"], ["watching"]].map((of) => tile(...of));
  const rows = causes.map(row);
  const [drawPacing, drawHistogram] = [pacingPlot(element("pacing")), histogramPlot(element("histogram"))];
  return ({ framesPerSecond, frames, pacing, histogram, clients }) => {
    const counts = causes.map((cause) => frames[cause]);
    const lost = counts.reduce((sum, count) => sum + count, 0);
    rate(hundredths(framesPerSecond));
    jitter(tenths(pacing.jitter ?? NaN));
    share(hundredths(frames.produced ? 100 * lost / frames.produced : 0));
    watching(whole(clients));
    rows.forEach((show, at) => show(counts[at], Math.max(...counts)));
    say("produced", words("produced", { count: frames.produced }));
    say("losses-words", lossWords(frames, lost));
    drawPacing(pacing);
    say("pacing-words", pacingWords(pacing));
    if (histogram) drawHistogram(histogram);
    say("histogram-words", histogram
      ? words(`exposure.${histogram.exposure}`, { black: tenths(100 * histogram.black), white: tenths(100 * histogram.white) })
      : words("brightnessNone"));
  };
};
