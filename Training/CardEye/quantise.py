"""The networks in 8 bits: folds the normalisation, chooses scales, simulates the integers of detect/layers.c, and
writes detect/tables/network.inc, closer.inc and strips.inc. The layout and the rounding are those of detect/layers.h."""

import copy

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from network import Dense, Separate, normalised

SHIFT = 24  # Of multipliers, before they are packed.
INPUT_SCALE = 1 / 64
HEAD_SCALE = 1 / 256


def folded(block):
    """Weights and biases of a convolution with its batch normalisation taken in."""
    if isinstance(block, (nn.Conv2d, nn.Linear)):
        return block.weight.detach().double(), block.bias.detach().double()
    layer, norm = block[0], block[1]
    gain = norm.weight / torch.sqrt(norm.running_var + norm.eps)
    weight = layer.weight * gain.reshape((-1,) + (1,) * (layer.weight.dim() - 1))
    return weight.detach().double(), (norm.bias - norm.running_mean * gain).detach().double()


def packed(values, bits):
    """Integers in so many bits, and by how many bits those are to be shifted: so few that all fit."""
    shift = max(0, int(np.abs(values).max(initial=0)).bit_length() - bits)
    if np.abs(rounded(values, shift)).max(initial=0) >> bits:
        shift += 1
    return rounded(values, shift), shift


def rounded(values, shift):
    return (values + (1 << shift >> 1)) >> shift


class Step:
    """One line of the table: what it does, from which slot to which, and its numbers."""

    def __init__(self, op, source, target, side=-1, block=None, inputs=0, outputs=0):
        self.op, self.source, self.target, self.side = op, source, target, side
        self.inputs, self.outputs, self.kernel, self.stride, self.dilation = inputs, outputs, 1, 1, 1
        if block is not None:
            self.weight, self.bias = folded(block)
            layer = block[0] if isinstance(block, nn.Sequential) else block
            if isinstance(layer, nn.Linear):
                self.inputs, self.outputs = layer.in_features, layer.out_features
                self.weight = self.weight[:, :, None, None]
                return
            self.inputs, self.outputs = layer.in_channels, layer.out_channels
            self.kernel, self.stride, self.dilation = layer.kernel_size[0], layer.stride[0], layer.dilation[0]

    def sums(self, x, weight, bias):
        groups = self.inputs if self.op == "EYE_DEPTHWISE" else 1
        return F.conv2d(x, weight, bias, self.stride, self.dilation * (self.kernel // 2), self.dilation, groups)

    def real(self, x, side):
        """In numbers with a point: to find the scales."""
        if self.op == "EYE_FLATTEN":
            return flat(x)
        if self.op == "EYE_ADD":
            return side + F.interpolate(x, scale_factor=2, mode="nearest")
        y = self.sums(x, self.weight, self.bias)
        if self.op == "EYE_HEAD":
            return y
        return F.relu(y if side is None else y + side)

    def settle(self, source, target, side):
        """Turns weights into integers, the scales of the slots being known."""
        one = 1 << SHIFT
        if self.op == "EYE_FLATTEN":
            self.integers, self.biases, self.multipliers = None, np.zeros(0, np.int64), np.zeros(0, np.int64)
            self.side_multiplier, self.shift, self.bias_shift = 0, SHIFT, 0
            return
        if self.op == "EYE_ADD":
            self.integers, self.biases = None, np.zeros(1, np.int64)
            self.multipliers = np.int64([round(source / target * one)])
        else:
            weight, bias = self.weight, self.bias
            largest = weight.abs().amax((1, 2, 3))
            scale = torch.maximum(largest / 127, bias.abs() / (source * 2 ** 24)) + 1e-12
            self.integers = torch.round(weight / scale[:, None, None, None]).clamp(-127, 127)
            self.biases = torch.round(bias / (source * scale)).numpy().astype(np.int64)
            self.multipliers = torch.round(source * scale / target * one).numpy().astype(np.int64)
        self.side_multiplier = 0 if self.side < 0 else round(side / target * one)
        assert 0 <= self.multipliers.min() and max(self.multipliers.max(), self.side_multiplier) < 2 ** 31
        self.pack()

    def pack(self):
        """Into the 16 bits that the table has for biases (with sign) and multipliers."""
        self.biases, self.bias_shift = packed(self.biases, 15)
        self.multipliers, less = packed(self.multipliers, 16)
        self.shift = SHIFT - less
        self.side_multiplier = rounded(self.side_multiplier, less)

    def whole(self, x, side):
        """In integers, as C does it."""
        if self.op == "EYE_FLATTEN":
            return flat(x)
        if self.op == "EYE_ADD":
            acc = F.interpolate(x, scale_factor=2, mode="nearest").numpy().astype(np.int64)
        else:
            biases = torch.from_numpy(self.biases << self.bias_shift).double()
            acc = self.sums(x, self.integers, biases).numpy().astype(np.int64)
        assert abs(acc).max() < 2 ** 31
        v = acc * self.multipliers[None, :, None, None]
        if side is not None:
            v = v + side.numpy().astype(np.int64) * self.side_multiplier
        v = (v + (1 << (self.shift - 1))) >> self.shift
        v = np.clip(v, -2047, 2047) if self.op == "EYE_HEAD" else np.clip(v, 0, 255)
        return torch.from_numpy(v).double()

    def row(self, weights, channels):
        return (f"  {{{self.op}, {self.source}, {self.target}, {self.side}, {self.inputs}, {self.outputs}, "
                f"{self.kernel}, {self.stride}, {self.dilation}, {weights}, {channels}, {self.bias_shift}, {self.shift}, "
                f"{self.side_multiplier}}},")


def flat(x):
    """All numbers place by place, as the depth of one place."""
    return x.permute(0, 2, 3, 1).flatten(1)[..., None, None]


def steps_in_turn(layers):
    """Layers as steps, one after the other; and the slot that the last one fills."""
    steps, last = [], 0
    for k, layer in enumerate(layers):
        target = 1 + k % 2
        if isinstance(layer, Separate):
            steps.append(Step("EYE_DEPTHWISE", last, 5, block=layer.depth))
            steps.append(Step("EYE_CONV", 5, target, last, layer.point))
        else:
            dense = isinstance(layer, Dense)
            steps.append(Step("EYE_CONV", last, target, last if dense else -1, layer.full if dense else layer))
        last = target
    return steps, last


def steps_of_closer(network):
    steps, last = steps_in_turn(network.down)
    hidden = copy.deepcopy(network.hidden)
    inputs = hidden[0].in_features
    steps.append(Step("EYE_FLATTEN", last, last, inputs=inputs, outputs=inputs))
    order = torch.arange(inputs).reshape(1, -1, *network.PLACES)
    hidden[0].weight.data = hidden[0].weight.data[:, flat(order).flatten()]
    steps.append(Step("EYE_CONV", last, 3, block=hidden))
    steps.append(Step("EYE_HEAD", 3, 4, block=network.answer))
    return steps


def steps_of_strips(network):
    steps, last = steps_in_turn(network.down)
    return [*steps, Step("EYE_HEAD", last, 4, block=network.head)]


def steps_of(network):
    """The network as steps over slots: 1 to 4 hold the levels from fine to coarse, 5 and 6 what comes between."""
    steps = []

    def run(layer, source, target, spare):
        if isinstance(layer, Separate):
            steps.append(Step("EYE_DEPTHWISE", source, spare, block=layer.depth))
            steps.append(Step("EYE_CONV", spare, target, source, layer.point))
        elif isinstance(layer, Dense):
            steps.append(Step("EYE_CONV", source, target, source, layer.full))
        else:
            steps.append(Step("EYE_CONV", source, target, block=layer))
        return target

    last = 0
    for level, stage in enumerate(network.down, 1):
        layers = list(stage)
        for k, layer in enumerate(layers):
            end = level if k == len(layers) - 1 else (5, 7)[k % 2]
            last = run(layer, last, end, 6)
    for k, (join, stage) in enumerate(zip(network.join, network.up)):
        fine = 3 - k
        steps.append(Step("EYE_CONV", last, 6, block=join.point))
        outputs = steps[-1].outputs
        steps.append(Step("EYE_ADD", 6, 5, fine, inputs=outputs, outputs=outputs))
        run(stage[0], 5, 7, 6)
        last = run(stage[1], 7, 8 if k % 2 == 0 else 9, 6)
    steps.append(Step("EYE_HEAD", last, 10, block=network.head))
    return steps


class Whole:
    """A network in integers."""

    def __init__(self, network, images, steps_of=steps_of):
        """`images` (n x h x w x 3) show which values occur."""
        self.steps = steps_of(copy.deepcopy(network).eval())
        peaks = [0.0] * len(self.steps)
        with torch.no_grad():
            for start in range(0, len(images), 8):
                slots = {0: normalised(images[start:start + 8]).double()}
                for k, step in enumerate(self.steps):
                    side = slots[step.side] if step.side >= 0 else None
                    y = slots[step.target] = step.real(slots[step.source], side)
                    values = y.flatten()[::max(1, y.numel() // 100000)]
                    peaks[k] = max(peaks[k], torch.quantile(values, 0.9999).item())
            scales = {0: INPUT_SCALE}
            for step, peak in zip(self.steps, peaks):
                target = HEAD_SCALE if step.op == "EYE_HEAD" else max(peak, 1e-3) / 255
                if step.op == "EYE_FLATTEN":
                    target = scales[step.source]
                step.settle(scales[step.source], target, scales[step.side] if step.side >= 0 else 0)
                scales[step.target] = target

    def maps(self, images):
        """n x outputs x h x w, int16, 1/256."""
        with torch.no_grad():
            slots = {0: torch.from_numpy(np.array(images)).permute(0, 3, 1, 2).double() - 128}
            for step in self.steps:
                side = slots[step.side] if step.side >= 0 else None
                slots[step.target] = step.whole(slots[step.source], side)
        return slots[self.steps[-1].target].numpy().astype(np.int16)

    def table(self, provenance, name="eye"):
        weights, biases, multipliers, rows = [], [], [], []
        for step in self.steps:
            rows.append(step.row(len(weights), len(biases)))
            if step.integers is not None:
                order = (1, 2, 3, 0) if step.op == "EYE_DEPTHWISE" else (0, 2, 3, 1)
                weights.extend(step.integers.numpy().astype(int).transpose(order).ravel().tolist())
            biases.extend(step.biases.tolist())
            multipliers.extend(step.multipliers.tolist())
        return "\n".join([
            f"// {line}" for line in provenance] + [
            array(f"static const int8_t {name}_weights[]", weights),
            array(f"static const int16_t {name}_biases[]", biases),
            array(f"static const uint16_t {name}_multipliers[]", multipliers),
            f"static const eye_step {name}_steps[] = {{", *rows, "};", ""])


def array(name, values, width=110):
    """A C initialiser whose lines are wrapped."""
    lines, line = [], ""
    for value in values:
        text = f"{value},"
        if len(line) + len(text) > width:
            lines.append(line)
            line = ""
        line += text
    return "\n".join([name + " = {", *lines, line, "};"])
