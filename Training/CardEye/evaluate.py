"""Measures the card eye; called by Scripts/detect-eval, which says how."""

import argparse
import glob
import json
import os
import time

import cv2
import numpy as np
from PIL import Image, ImageOps

import measure
from eye import Eye
from finder import Finder, find_in_files
from drawn import EVALUATED, Drawn
from judge import NEAR, RIGHT
from scenes import Judged

WITH_SEED, WITHOUT_SEED = 1001, 1002
TILE = 480
SHEETS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "sheets.json")


class Result:
    """What was found in one picture, beside the truth."""

    def __init__(self, name, tags, rgb, truth, eye, finder, found=None):
        self.name, self.tags, self.truth = name, tags, np.float64(truth).reshape(-1, 4, 2)
        eye.propose(rgb)
        proposals = eye.full(eye.quads()) if eye.count else np.zeros((0, 4, 2))
        self.milliseconds = None
        if found is None:
            start = time.perf_counter()
            found = finder.find(rgb)
            self.milliseconds = (time.perf_counter() - start) * 1000
        self.quads, self.confidence = found
        self.size = rgb.shape[1], rgb.shape[0]
        self.shown = self.confidence >= finder.threshold
        self.overlap, self.which = measure.overlaps(self.quads, self.truth)
        self.small = shrink(rgb)
        # For each card: the best proposal, the best candidate however unsure, and the best that is shown. A picture of
        # one card is judged by its first candidate.
        pool = slice(0, 1) if len(self.truth) == 1 else slice(None)
        self.cards = []
        for quad in self.truth:
            single = quad[None]
            of = lambda quads: measure.overlaps(quads, single)[0].max(initial=0)
            quads, shown = self.quads[pool], self.shown[pool]
            best = measure.overlaps(quads, single)[0]
            k = int(np.argmax(best)) if len(best) else -1
            self.cards.append(dict(
                proposal=of(proposals), ranked=best.max(initial=0), shown=best[shown].max(initial=0),
                confidence=self.confidence[pool][k] if k >= 0 else 0,
                corner=measure.corner_error(quads[k], quad) if k >= 0 and best[k] > NEAR else np.nan))

    @property
    def wrong(self):
        """Confidences of candidates that lie on no card."""
        return self.confidence[self.overlap < NEAR]

    @property
    def badness(self):
        worst = min((card["shown"] for card in self.cards), default=1)
        return max(1 - worst, max(self.confidence[self.shown & (self.overlap < NEAR)], default=0))


def shrink(rgb):
    scale = min(1, TILE / max(rgb.shape[:2]))
    return cv2.resize(rgb, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), scale


def share(values):
    return 100 * float(np.mean(values)) if len(values) else float("nan")


def report(title, results, threshold, figures):
    cards = [card for result in results for card in result.cards]
    if cards:
        column = lambda key: np.array([card[key] for card in cards])
        figures[title] = here = dict(
            pictures=len(results), cards=len(cards), mean_iou=float(column("shown").mean()),
            above_90=share(column("shown") > RIGHT), ranked_iou=float(column("ranked").mean()),
            ranked_above_90=share(column("ranked") > RIGHT), proposals_iou=float(column("proposal").mean()),
            proposals_above_90=share(column("proposal") > RIGHT))
        corners = column("corner")[column("shown") > NEAR]
        print(f"{title}: {len(cards)} cards in {len(results)} pictures.")
        print(f"  Proposals   mean IoU {here['proposals_iou']:.4f}, above 0.9 {here['proposals_above_90']:.1f} %")
        print(f"  Ranked      mean IoU {here['ranked_iou']:.4f}, above 0.9 {here['ranked_above_90']:.1f} %")
        print(f"  Shown       mean IoU {here['mean_iou']:.4f}, above 0.9 {here['above_90']:.1f} %")
        if len(corners):
            print(f"  Worst corner, as a share of the diagonal: mean {share(corners):.2f} %, of nineteen in twenty at most "
                  f"{100 * np.quantile(corners, 0.95):.2f} %")
        tags = sorted({tag for result in results for tag in result.tags})
        for tag in tags:
            of = lambda key: np.array([card[key] for result in results if tag in result.tags for card in result.cards])
            some = of("shown")
            if len(some):
                print(f"    {tag:18} {len(some):5} cards, mean IoU {some.mean():.3f}, above 0.9 {share(some > RIGHT):5.1f} % "
                      f"(ranked {share(of('ranked') > RIGHT):5.1f} %, proposals {share(of('proposal') > RIGHT):5.1f} %)")
        right = [card["confidence"] for card in cards if card["ranked"] > RIGHT]
        wrong = [c for result in results for c in result.wrong]
        print(f"  Threshold {threshold:.2f}; the lowest right {min(right, default=1):.2f}, the highest wrong "
              f"{max(wrong, default=0):.2f}; right but not shown {sum(c < threshold for c in right)}")
    empty = [result for result in results if not result.cards]
    false = [result for result in results if (result.wrong >= threshold).any()]
    print(f"  {title}: false cards in {len(false)} of {len(results)} pictures"
          + (f"; without a card: {sum(not r.cards for r in false)} of {len(empty)}, the highest confidence "
             f"{max((max(r.confidence, default=0) for r in empty), default=0):.2f}" if empty else ""))
    if not cards and any(result.tags for result in false):
        names = [tag for result in false for tag in result.tags]
        print("  " + ", ".join(f"{name} {names.count(name)}" for name in sorted(set(names))))
    figures.setdefault(title, {})["false"] = [len(false), len(results)]
    times = np.array([result.milliseconds for result in results if result.milliseconds is not None])
    if len(times):
        print(f"  Time of a look: median {np.median(times):.1f} ms, of nineteen in twenty at most "
              f"{np.quantile(times, 0.95):.1f} ms")


def calibration(results, figures):
    confidence = np.concatenate([result.confidence for result in results])
    right = np.concatenate([result.overlap > RIGHT for result in results])
    print("Calibration: of candidates given a confidence, so many are right (IoU above 0.9)")
    edges = [0, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.01]
    figures["calibration"] = []
    for low, high in zip(edges, edges[1:]):
        chosen = (confidence >= low) & (confidence < high)
        if chosen.any():
            row = float(confidence[chosen].mean()), float(right[chosen].mean()), int(chosen.sum())
            figures["calibration"].append(row)
            print(f"  given {row[0]:.2f}: {row[1]:.2f} of {row[2]}")


def sheet(results, path):
    """The worst ten, five a row: truth blue, shown green, not shown yellow."""
    tiles = []
    for result in sorted(results, key=lambda result: -result.badness)[:10]:
        small, scale = result.small
        tile = np.zeros((TILE + 24, TILE, 3), np.uint8)
        picture = np.ascontiguousarray(small[..., ::-1])
        for quads, colour in ((result.truth, (255, 96, 0)), (result.quads[~result.shown][:3], (0, 220, 255)),
                              (result.quads[result.shown], (0, 200, 0))):
            for quad in quads:
                cv2.polylines(picture, [np.int32(((quad + 0.5) * scale - 0.5) * 16)], True, colour, 2, cv2.LINE_AA, 4)
        tile[:picture.shape[0], :picture.shape[1]] = picture
        least = min((card["shown"] for card in result.cards), default=0)
        top = max(result.confidence, default=0)
        cv2.putText(tile, f"{result.name[-36:]} {least:.2f} ({top:.2f})", (4, TILE + 17), cv2.FONT_HERSHEY_SIMPLEX, 0.45,
                    (255, 255, 255), 1, cv2.LINE_AA)
        tiles.append(tile)
    while len(tiles) % 5:
        tiles.append(np.zeros_like(tiles[0]))
    os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
    cv2.imwrite(path, np.vstack([np.hstack(tiles[k:k + 5]) for k in range(0, len(tiles), 5)]))
    print(f"The worst ten are in {path}: truth blue, shown green, not shown yellow.")


def upright(path):
    return np.asarray(ImageOps.exif_transpose(Image.open(path)).convert("RGB"))


def photos(folder, tool, eye, finder):
    """By the tool, whose decoder isn't this script's: the same picture has other colours, by a level or two."""
    with open(os.path.join(folder, "corners.json")) as file:
        entries = json.load(file)["images"]
    paths = [os.path.join(folder, entry["file"]) for entry in entries]
    for entry, path, found in zip(entries, paths, find_in_files(tool, paths)):
        yield Result(os.path.basename(path), entry["tags"], upright(path), [thing["quad"] for thing in entry["objects"]],
                     eye, finder, found)


def with_cards(seed, number):
    return Judged(seed, number, 512, kind=EVALUATED[number % len(EVALUATED)])


def without_cards(seed, number):
    return Judged(seed, number, 512, kind="none")


def drawn(work, seed, count, draw, eye, finder):
    for number, (rgb, truth, tags) in enumerate(Drawn(work, seed, count, draw)):
        yield Result(f"{seed}/{number}", tags, rgb, truth, eye, finder)


def parts():
    """Of a picture's sides, each from 0 to 1: all of it; nine parts of half the size, which overlap; sixteen of a quarter;
    with the shorter side in pixels that a picture needs."""
    for size, at, least in ((1, (0,), 0), (0.5, (0, 0.25, 0.5), 400), (0.25, (0, 0.25, 0.5, 0.75), 800)):
        for y in at:
            for x in at:
                yield (x, y, x + size, y + size), least


def shows(part, sheet):
    """Whether a part shows half of a sheet, or more."""
    across, down = (max(0, min(part[k + 2], sheet[k + 2]) - max(part[k], sheet[k])) for k in (0, 1))
    return across * down * 2 >= (sheet[2] - sheet[0]) * (sheet[3] - sheet[1])


def without(folder, eye, finder):
    """Pictures without a card, whole and in parts; not what shows a sheet of sheets.json, which is to be found."""
    with open(SHEETS) as file:
        sheets = {name: [sheet for some in kinds.values() for sheet in some] for name, kinds in json.load(file).items()}
    paths = sorted(path for kind in ("jpg", "jpeg", "JPG", "png") for path in
                   glob.glob(os.path.join(folder, "**", "*." + kind), recursive=True))
    left_out = 0
    for path in paths:
        try:
            rgb = upright(path)
        except (OSError, SyntaxError, ValueError, Image.DecompressionBombError):  # Broken on purpose, or of a kind that isn't read.
            continue
        h, w = rgb.shape[:2]
        for part, least in parts():
            if min(h, w) < least:
                continue
            if any(shows(part, sheet) for sheet in sheets.get(os.path.basename(path), [])):
                left_out += 1
                continue
            x, y, right, bottom = (int(share * side) for share, side in zip(part, (w, h, w, h)))
            name = os.path.basename(path) + ("" if part[2] - part[0] == 1 else " %g %g %g %g" % part)
            yield Result(name, [], rgb[y:bottom, x:right], [], eye, finder)
    print(f"{left_out} parts left out that show a sheet.")


def main():
    parser = argparse.ArgumentParser(prog="Scripts/detect-eval")
    parser.add_argument("--scenes", type=int, default=1000)
    parser.add_argument("--photos", default="../shared/data/cards")
    parser.add_argument("--tool", required=True)
    parser.add_argument("--without")
    parser.add_argument("--sheet", default=".build/card-eye-work/worst.png")
    parser.add_argument("--json")
    parser.add_argument("--root", default=".")
    parser.add_argument("--work", default=".build/card-eye-work")
    options = parser.parse_args()
    eye = Eye(options.root, options.work)
    finder = Finder(eye.c)
    figures, every = dict(threshold=finder.threshold), []

    def measure_all(title, results):
        results = list(results)
        if results:
            report(title, results, finder.threshold, figures)
            every.extend(results)
        return results

    if os.path.exists(os.path.join(options.photos, "corners.json")):
        measure_all("Photos", photos(options.photos, options.tool, eye, finder))
    else:
        print(f"No photos with known corners in {options.photos}.")
    if options.without:
        measure_all("Pictures without cards", without(options.without, eye, finder))
    if options.scenes:
        some = measure_all("Drawn scenes", drawn(options.work, WITH_SEED, options.scenes, with_cards, eye, finder))
        some += measure_all("Drawn scenes without cards", drawn(options.work, WITHOUT_SEED, options.scenes, without_cards, eye, finder))
        calibration(some, figures)
    sheet(every, options.sheet)
    if options.json:
        with open(options.json, "w") as file:
            json.dump(figures, file, indent=1)


if __name__ == "__main__":
    main()
