"""Makes the tables of the card eye; called by Scripts/train-card-eye, which says how."""

import argparse
import os
import sys

import numpy as np
import torch

import closer
import judge
import network
import quantise
import rank
import scenes
import store
import strips

NETWORK_SEED, MORE_SEEDS = 1, (4, 5)
SCENES, MORE_SCENES = 20000, 14000


def main():
    parser = argparse.ArgumentParser(prog="Scripts/train-card-eye")
    parser.add_argument("part", nargs="?", choices=("all", *PARTS), default="all")
    parser.add_argument("--steps", type=int, default=9000)
    parser.add_argument("--more-steps", type=int, default=20000)
    parser.add_argument("--scenes", type=int, default=SCENES)
    parser.add_argument("--more-scenes", type=int, default=MORE_SCENES)
    parser.add_argument("--tree-scenes", type=int, default=5000)
    parser.add_argument("--closer-steps", type=int, default=20000)
    parser.add_argument("--more-closer-steps", type=int, default=11000)
    parser.add_argument("--last-closer-steps", type=int, default=36000)
    parser.add_argument("--further-closer-steps", type=int, default=40000)
    parser.add_argument("--own-from", type=int, nargs="+", default=[0, 5000, 8000])
    parser.add_argument("--own-scenes", type=int, nargs="+", default=[3000, 3000, 3000])
    parser.add_argument("--own-closer-steps", type=int, nargs="+", default=[24000, 48000, 50000])
    parser.add_argument("--strips-from", type=int, default=8000)
    parser.add_argument("--strip-scenes", type=int, default=3000)
    parser.add_argument("--strip-steps", type=int, default=12000)
    parser.add_argument("--go-on", action="store_true")
    parser.add_argument("--judge-scenes", type=int, default=9000)
    parser.add_argument("--calibration-scenes", type=int, default=6000)
    parser.add_argument("--root", default=".")
    parser.add_argument("--work", default=".build/card-eye-work")
    options = parser.parse_args()
    if options.go_on and options.part != "closer":
        parser.error("--go-on goes with closer.")
    if not len(options.own_from) == len(options.own_scenes) == len(options.own_closer_steps):
        parser.error("--own-from, --own-scenes and --own-closer-steps take one number for each round.")
    options.tables = os.path.join(options.root, "Sources/CViewfinder/detect/tables")
    if options.go_on and not os.path.exists(os.path.join(options.tables, "closer.inc")):
        parser.error("--go-on needs the table closer.inc: make it without --go-on.")
    os.makedirs(options.work, exist_ok=True)
    os.makedirs(options.tables, exist_ok=True)
    options.before = {}
    for name, make in PARTS.items():
        if options.part in ("all", name):
            # What follows learns from what these tables say: none of before may be left.
            for later in list(PARTS)[list(PARTS).index(name):]:
                path = os.path.join(options.tables, f"{later}.inc")
                if os.path.exists(path):
                    with open(path) as file:
                        options.before.setdefault(later, file.read())
                    os.remove(path)
            make(options)


def make_network(options):
    """First from scenes of all kinds; then from these and scenes of what failed at first."""
    drawn = store.Small(options.work, NETWORK_SEED, options.scenes)
    path = os.path.join(options.work, f"network-{options.scenes}-{options.steps}.pt")
    if not os.path.exists(path):
        torch.save(network.train(store.Joined(drawn), options.steps, NETWORK_SEED).state_dict(), path)
    more = [store.Small(options.work, seed, options.more_scenes, scenes.More) for seed in MORE_SEEDS]
    trained = network.train(store.Joined(drawn, *more), options.more_steps, MORE_SEEDS[0], rate=2e-3,
                            start_from=torch.load(path))
    torch.save(trained.state_dict(), os.path.join(options.work, "network.pt"))
    whole = quantise.Whole(trained, np.concatenate([part.images[:128] for part in (drawn, *more)]))
    provenance = [
        "Made by Scripts/train-card-eye: don't edit.",
        f"Network: {options.scenes} scenes of seed {NETWORK_SEED}, {options.steps} steps of 16; with "
        f"{options.more_scenes} each of seeds {' and '.join(map(str, MORE_SEEDS))}, {options.more_steps} more; "
        f"PyTorch {torch.__version__}."]
    path = os.path.join(options.tables, "network.inc")
    with open(path, "w") as file:
        file.write(whole.table(provenance))
    print(f"Wrote {path}.", file=sys.stderr)


PARTS = dict(network=make_network, rank=rank.make, closer=closer.make, strips=strips.make, judge=judge.make)

if __name__ == "__main__":
    main()
