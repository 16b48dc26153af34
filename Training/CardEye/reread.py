"""Weights read back from a table in C, so that a training can go on from what is there."""

import re

import numpy as np
import torch

import quantise
from network import Dense, Separate
from quantise import HEAD_SCALE, INPUT_SCALE

PLAIN_SCALE = 4 / 255  # Of a tensor that is added to nothing: any will do, since the normalisation takes it up.


class Table:
    """The numbers of a table: steps as tuples, weights, biases, multipliers."""

    def __init__(self, text, name):
        def numbers(array):
            found = re.search(rf"{name}_{array}\[\] = {{(.*?)}};", text, re.S)
            return np.int64([int(v) for v in re.findall(r"-?\d+", found[1])])

        self.weights, self.biases, self.multipliers = (numbers(k) for k in ("weights", "biases", "multipliers"))
        rows = re.search(rf"{name}_steps\[\] = {{(.*?)}};", text, re.S)[1]
        self.steps = [tuple(v if v.startswith("EYE") else int(v) for v in re.split(r",\s*", row))
                      for row in re.findall(r"{(.*?)}", rows)]

    def real(self):
        """For each step the kind of layer that begins with it, if that adds to what it is given; and its weights (outputs x
        inputs x rows x columns) and biases as real numbers."""
        scales = {0: INPUT_SCALE}
        for operation, source, target, side, inputs, outputs, kernel, _, _, at, channels, up, shift, by in self.steps:
            if operation == "EYE_FLATTEN":
                scales[target] = scales[source]
                continue
            scale = HEAD_SCALE if operation == "EYE_HEAD" else PLAIN_SCALE
            if side >= 0:
                scale = scales[side] * 2 ** shift / by
            deep = 1 if operation == "EYE_DEPTHWISE" else inputs
            weights = self.weights[at:at + outputs * kernel * kernel * deep]
            if operation == "EYE_DEPTHWISE":
                weights = weights.reshape(1, kernel, kernel, outputs).transpose(3, 0, 1, 2)
            else:
                weights = weights.reshape(outputs, kernel, kernel, inputs).transpose(0, 3, 1, 2)
            part = slice(channels, channels + outputs)
            unit = self.multipliers[part] * scale / (scales[source] * 2 ** shift)
            kind = Separate if operation == "EYE_DEPTHWISE" else Dense if side >= 0 and kernel > 1 else None
            biases = self.biases[part] << up
            yield kind, weights * unit[:, None, None, None], biases * scales[source] * unit
            scales[target] = scale


def provenance(text):
    """How a table was made, as its second line says, without the version of PyTorch."""
    return text.splitlines()[1].removeprefix("// ").rsplit("; PyTorch", 1)[0]


def closer(network, text, patches):
    """Puts the second network's weights into `network`, layer by layer; those that the table hasn't begin as if they
    weren't there. The normalisation learns its means from some patches (n x height x width x depth, 8 bits)."""
    found = list(Table(text, "eye_closer").real())
    x = quantise.normalised(patches)
    network.eval()
    with torch.no_grad():
        for layer in network.down:
            blocks = [getattr(layer, name) for name in ("depth", "point", "full") if hasattr(layer, name)] or [layer]
            if isinstance(layer, (Separate, Dense)) and found[0][0] is not type(layer):
                blocks[-1][1].weight[:] = 0
                blocks = []
            inside = x
            for block in blocks:
                _, weights, biases = found.pop(0)
                settle(block, weights, biases, inside)
                inside = block(inside)
            x = layer(x)
        _, weights, biases = found.pop(0)
        flat = quantise.flat(torch.arange(weights.shape[1]).reshape(1, -1, *network.PLACES)).flatten()
        order = torch.empty_like(flat)
        order[flat] = torch.arange(len(flat))
        settle(network.hidden, weights[:, order.numpy(), 0, 0], biases, x.flatten(1))
        _, weights, biases = found.pop(0)
        network.answer.weight[:] = torch.from_numpy(weights[:, :, 0, 0])
        network.answer.bias[:] = torch.from_numpy(biases)
    return network


def settle(block, weights, biases, x):
    """A convolution and its normalisation that together give what the table's numbers give; the weights of a usual
    size, since the rate of learning counts on one."""
    layer, norm = block[0], block[1]
    weights = torch.from_numpy(np.ascontiguousarray(weights)).float()
    usual = (2 / weights[0].numel()) ** 0.5
    layer.weight[:] = weights * (usual / weights.std())
    y = layer(x)
    around = [k for k in range(y.dim()) if k != 1]
    norm.running_mean[:], norm.running_var[:] = y.mean(around), y.var(around)
    norm.weight[:] = torch.sqrt(norm.running_var + norm.eps) * (weights.std() / usual)
    norm.bias[:] = torch.from_numpy(biases).float() + norm.running_mean * (weights.std() / usual)
