"""Weights read back from a table in C, so that a training can go on from what is there."""

import os
import re

import numpy as np
import torch

import quantise
from network import Separate
from quantise import HEAD_SCALE, INPUT_SCALE, SHIFT

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
        """For each step its operation, and its weights (outputs x inputs x rows x columns) and biases as real numbers."""
        scales = {0: INPUT_SCALE}
        for step, after in zip(self.steps, [*self.steps[1:], None]):
            operation, source, target, side, inputs, outputs, kernel, _, _, at, channels, shift, by = step
            assert shift == SHIFT
            if operation == "EYE_FLATTEN":
                scales[target] = scales[source]
                continue
            scale = HEAD_SCALE if operation == "EYE_HEAD" else PLAIN_SCALE
            if side >= 0:
                scale = scales[side] * 2 ** SHIFT / by
            if operation == "EYE_ADD":
                scales[target] = scale
                continue
            if after and after[0] == "EYE_ADD":  # What it is added to says its scale.
                scale = scales[after[3]] * self.multipliers[after[10]] / after[12]
            deep = 1 if operation == "EYE_DEPTHWISE" else inputs
            weights = self.weights[at:at + outputs * kernel * kernel * deep]
            if operation == "EYE_DEPTHWISE":
                weights = weights.reshape(1, kernel, kernel, outputs).transpose(3, 0, 1, 2)
            else:
                weights = weights.reshape(outputs, kernel, kernel, inputs).transpose(0, 3, 1, 2)
            part = slice(channels, channels + outputs)
            unit = self.multipliers[part] * scale / (scales[source] * 2 ** SHIFT)
            yield operation, weights * unit[:, None, None, None], self.biases[part] * scales[source] * unit
            scales[target] = scale


def text(options, part):
    """A part's table as it was before it is made anew."""
    with open(os.path.join(options.before, f"{part}.inc")) as file:
        return file.read()


def provenance(text):
    """How a table was made, as its second line says, without the version of PyTorch."""
    return text.splitlines()[1].removeprefix("// ").rsplit("; PyTorch", 1)[0]


class Reader:
    """Puts a table's weights into a network, layer by layer, as pictures run through it: its normalisation learns its
    means from them."""

    def __init__(self, text, name):
        self.real = list(Table(text, name).real())
        self.found = iter(self.real)

    def settled(self, block, x):
        _, weights, biases = next(self.found)
        settle(block, weights, biases, x)
        return block(x)

    def through(self, layer, x):
        if isinstance(layer, Separate):
            self.settled(layer.point, self.settled(layer.depth, x))
        else:
            self.settled(getattr(layer, "full", layer), x)
        return layer(x)


def first(network, text, images):
    """The first network, from its table."""
    reader, x, levels = Reader(text, "eye"), quantise.normalised(images), []
    network.eval()
    with torch.no_grad():
        for stage in network.down:
            for layer in stage:
                x = reader.through(layer, x)
            levels.append(x)
        for join, stage, fine in zip(network.join, network.up, reversed(levels[:-1])):
            reader.settled(join.point, x)
            x = join(x, fine)
            for layer in stage:
                x = reader.through(layer, x)
        _, weights, biases = next(reader.found)
        network.head.weight[:], network.head.bias[:] = torch.from_numpy(weights), torch.from_numpy(biases)
    return network


def closer(network, text, patches):
    """The second network, from its table; layers that the table hasn't begin as if they weren't there."""
    reader, x = Reader(text, "eye_closer"), quantise.normalised(patches)
    separate = [layer for layer in network.down if isinstance(layer, Separate)]
    known = sum(operation == "EYE_DEPTHWISE" for operation, _, _ in reader.real) == len(separate)
    network.eval()
    with torch.no_grad():
        for layer in network.down:
            if layer in separate and not known:
                layer.point[1].weight[:] = 0
                x = layer(x)
            else:
                x = reader.through(layer, x)
        _, weights, biases = next(reader.found)
        flat = quantise.flat(torch.arange(weights.shape[1]).reshape(1, -1, *network.PLACES)).flatten()
        order = torch.empty_like(flat)
        order[flat] = torch.arange(len(flat))
        settle(network.hidden, weights[:, order.numpy(), 0, 0], biases, x.flatten(1))
        _, weights, biases = next(reader.found)
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
