"""Makes the tables of the card eye; called by Scripts/train-card-eye, which says how."""

import argparse
import os
import shutil
import sys

import numpy as np
import torch

import closer
import judge
import network
import quantise
import rank
import reread
import scenes
import store

NETWORK_SEED, MORE_SEEDS, CROSSED_SEEDS = 1, (4, 5), (16, 17)
SCENES, MORE_SCENES, CROSSED_SCENES = 20000, 14000, 20000


def main():
    parser = argparse.ArgumentParser(prog="Scripts/train-card-eye")
    parser.add_argument("part", nargs="?", choices=("all", *PARTS), default="all")
    parser.add_argument("--steps", type=int, default=9000)
    parser.add_argument("--more-steps", type=int, default=20000)
    parser.add_argument("--crossed-steps", type=int, default=10000)
    parser.add_argument("--scenes", type=int, default=SCENES)
    parser.add_argument("--more-scenes", type=int, default=MORE_SCENES)
    parser.add_argument("--crossed-scenes", type=int, default=CROSSED_SCENES)
    parser.add_argument("--tree-scenes", type=int, default=5000)
    parser.add_argument("--closer-steps", type=int, default=20000)
    parser.add_argument("--more-closer-steps", type=int, default=11000)
    parser.add_argument("--last-closer-steps", type=int, default=36000)
    parser.add_argument("--further-closer-steps", type=int, default=40000)
    parser.add_argument("--go-on", action="store_true")
    parser.add_argument("--judge-scenes", type=int, default=3000)
    parser.add_argument("--calibration-scenes", type=int, default=3000)
    parser.add_argument("--root", default=".")
    parser.add_argument("--work", default=".build/card-eye-work")
    options = parser.parse_args()
    if options.go_on and options.part not in ("network", "closer"):
        parser.error("--go-on goes with network or closer.")
    options.tables = os.path.join(options.root, "Sources/CViewfinder/detect/tables")
    options.before = os.path.join(options.work, "before")
    table = f"{options.part}.inc"
    if options.go_on and not any(os.path.exists(os.path.join(folder, table)) for folder in (options.tables, options.before)):
        parser.error(f"--go-on needs the table {table}: make it without --go-on.")
    os.makedirs(options.before, exist_ok=True)
    os.makedirs(options.tables, exist_ok=True)
    for name, make in PARTS.items():
        if options.part in ("all", name):
            # What follows learns from what these tables say: none of before may be left, but to go on from.
            for later in list(PARTS)[list(PARTS).index(name):]:
                if os.path.exists(os.path.join(options.tables, f"{later}.inc")):
                    shutil.move(os.path.join(options.tables, f"{later}.inc"), os.path.join(options.before, f"{later}.inc"))
            make(options)


def learned(options):
    """First from scenes of all kinds; then from these and scenes of what failed at first."""
    drawn = store.Small(options.work, NETWORK_SEED, options.scenes)
    path = os.path.join(options.work, f"network-{options.scenes}-{options.steps}.pt")
    if not os.path.exists(path):
        torch.save(network.train(store.Joined(drawn), options.steps, NETWORK_SEED).state_dict(), path)
    more = [store.Small(options.work, seed, options.more_scenes, scenes.More) for seed in MORE_SEEDS]
    trained = network.train(store.Joined(drawn, *more), options.more_steps, MORE_SEEDS[0], rate=2e-3,
                            start_from=torch.load(path))
    return trained, (
        f"Network: {options.scenes} scenes of seed {NETWORK_SEED}, {options.steps} steps of 16; with "
        f"{options.more_scenes} each of seeds {' and '.join(map(str, MORE_SEEDS))}, {options.more_steps} more")


def make_network(options):
    """From scratch, or on from the table that was there; and then from scenes with something across the cards."""
    crossed = [store.Small(options.work, seed, options.crossed_scenes, draw)
               for seed, draw in zip(CROSSED_SEEDS, (scenes.Crossed, scenes.More))]
    images = np.concatenate([part.images[:128] for part in crossed])
    if options.go_on:
        torch.manual_seed(CROSSED_SEEDS[0])
        table = reread.text(options, "network")
        known, how = reread.first(network.Network(), table, images), reread.provenance(table)
    else:
        known, how = learned(options)
    trained = network.train(store.Joined(*crossed), options.crossed_steps, CROSSED_SEEDS[0], size=32, rate=2e-3,
                            start_from=known.state_dict())
    whole = quantise.Whole(trained, images)
    path = os.path.join(options.tables, "network.inc")
    with open(path, "w") as file:
        file.write(whole.table([
            "Made by Scripts/train-card-eye: don't edit.",
            f"{how}; of {options.crossed_scenes} each of seeds {' and '.join(map(str, CROSSED_SEEDS))}, "
            f"{options.crossed_steps} of 32; PyTorch {torch.__version__}."]))
    print(f"Wrote {path}.", file=sys.stderr)


PARTS = dict(network=make_network, rank=rank.make, closer=closer.make, judge=judge.make)

if __name__ == "__main__":
    main()
