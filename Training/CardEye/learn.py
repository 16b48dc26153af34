"""How the networks are trained: AdamW with a rate that falls as a cosine, and a moving average of the weights."""

import copy
import math
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import torch
from torch import nn


def learn(make, batch, measure, steps, seed, rate, decay, keep, names, start_from=None, log=sys.stderr):
    """Trains for a number of steps, from weights if some are given, and returns the moving average of the weights.

    `make()` makes the network; `batch(rng)` what a step learns from, while the step before is learned; `measure(network,
    *batch)` gives its loss and the parts of that, which have `names`. The average keeps `keep` of itself a step.
    """
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    torch.use_deterministic_algorithms(True)
    torch.utils.deterministic.fill_uninitialized_memory = False
    rng = np.random.default_rng(seed)
    network = make()
    if start_from is not None:
        network.load_state_dict(start_from)
    network = network.train().to(memory_format=torch.channels_last)
    average = copy.deepcopy(network)
    optimizer = torch.optim.AdamW(network.parameters(), lr=rate, weight_decay=decay, foreach=True)
    pairs = [(a, b) for a, b in zip(average.state_dict().values(), network.state_dict().values())
             if a.dtype.is_floating_point]
    ours, theirs = [a for a, _ in pairs], [b for _, b in pairs]
    mean, start = None, time.time()
    helper = ThreadPoolExecutor(1)
    waiting = helper.submit(batch, rng)
    for step in range(steps):
        made = waiting.result()
        if step + 1 < steps:
            waiting = helper.submit(batch, rng)
        now = rate * (0.01 + 0.99 * 0.5 * (1 + math.cos(math.pi * step / steps))) * min(1, (step + 10) / 300)
        for group in optimizer.param_groups:
            group["lr"] = now
        total, parts = measure(network, *made)
        optimizer.zero_grad(set_to_none=True)
        total.backward()
        nn.utils.clip_grad_norm_(network.parameters(), 2.0)
        optimizer.step()
        with torch.no_grad():
            torch._foreach_lerp_(ours, theirs, 1 - min(keep, (step + 1) / (step + 20)))
        parts = np.float64([total.item(), *(part.item() for part in parts)])
        mean = parts if mean is None else mean * 0.99 + parts * 0.01
        if (step + 1) % 100 == 0 or step + 1 == steps:
            left = (time.time() - start) / (step + 1) * (steps - step - 1)
            print(f"Step {step + 1} of {steps}: loss {mean[0]:.4f}; {names} "
                  f"{' '.join(f'{v:.4f}' for v in mean[1:])}; {left:.0f} s left.", file=log, flush=True)
    helper.shutdown()
    return average.eval()
