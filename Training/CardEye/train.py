"""Makes the tables of the card eye; called by Scripts/train-card-eye, which says how."""

import argparse
import os
import sys

import torch

import network
import quantise
import store

NETWORK_SEED = 1
SCENES = 20000


def main():
    parser = argparse.ArgumentParser(prog="Scripts/train-card-eye")
    parser.add_argument("part", nargs="?", choices=("all", "network", "trees"), default="all")
    parser.add_argument("--steps", type=int, default=9000)
    parser.add_argument("--scenes", type=int, default=SCENES)
    parser.add_argument("--tree-scenes", type=int, default=8000)
    parser.add_argument("--calibration-scenes", type=int, default=1500)
    parser.add_argument("--root", default=".")
    parser.add_argument("--work", default=".build/card-eye-work")
    options = parser.parse_args()
    options.tables = os.path.join(options.root, "Sources/CViewfinder/detect/tables")
    os.makedirs(options.work, exist_ok=True)
    os.makedirs(options.tables, exist_ok=True)
    if options.part in ("all", "network"):
        make_network(options)
    if options.part in ("all", "trees"):
        import trees
        trees.make(options)


def make_network(options):
    drawn = store.Small(options.work, NETWORK_SEED, options.scenes)
    trained = network.train(drawn, options.steps, NETWORK_SEED)
    torch.save(trained.state_dict(), os.path.join(options.work, "network.pt"))
    whole = quantise.Whole(trained, drawn.images[:256])
    provenance = [
        "Made by Scripts/train-card-eye: don't edit.",
        f"Network: {options.scenes} scenes of seed {NETWORK_SEED}, "
        f"{options.steps} steps of 16, PyTorch {torch.__version__}."]
    path = os.path.join(options.tables, "network.inc")
    with open(path, "w") as file:
        file.write(whole.table(provenance))
    print(f"Wrote {path}.", file=sys.stderr)


if __name__ == "__main__":
    main()
