#!/usr/bin/env python3
"""Writes tests/unit/train/golden/layers.txt: what PyTorch computes for small layers.

An oracle for development only: no test needs PyTorch, they read the file. Made with PyTorch 2.15.0 (CPU).
Each line: a name, the number of values, the values.
"""
import os
import sys

import torch
import torch.nn.functional as F

torch.manual_seed(20)
out = []


def put(name, tensor):
    values = tensor.detach().double().flatten().tolist()
    out.append(f"{name} {len(values)} " + " ".join(f"{v:.9g}" for v in values))


def leaf(*shape, scale=1.0):
    # Values that survive the way through decimal text exactly.
    return (torch.round(torch.randn(*shape) * scale * 64) / 64).requires_grad_()


# Two sequences of 5 and 3 rows through one bidirectional layer; our layers have one bias per direction.
lengths, inputs, size = [5, 3], 3, 4
lstm = torch.nn.LSTM(inputs, size, bidirectional=True)
weights = {}
with torch.no_grad():
    for name, parameter in lstm.named_parameters():
        parameter.copy_(leaf(*parameter.shape, scale=0.5))
        if name.startswith("bias_hh"):
            parameter.zero_()
x = leaf(sum(lengths), inputs)
packed = torch.nn.utils.rnn.pack_sequence(list(torch.split(x, lengths)))
y, _ = torch.nn.utils.rnn.pad_packed_sequence(lstm(packed)[0])
y = torch.cat([y[:n, i] for i, n in enumerate(lengths)])
dy = leaf(*y.shape)
(y * dy.detach()).sum().backward()
put("lstm.x", x), put("lstm.y", y), put("lstm.dy", dy), put("lstm.dx", x.grad)
for suffix in ("", "_reverse"):
    for ours, theirs in (("ih", "weight_ih_l0"), ("hh", "weight_hh_l0"), ("b", "bias_ih_l0")):
        parameter = getattr(lstm, theirs + suffix)
        put(f"lstm.{ours}{suffix}", parameter), put(f"lstm.d{ours}{suffix}", parameter.grad)

x, gain, bias = leaf(3, 6), leaf(6), leaf(6)
y = F.layer_norm(x, (6,), gain, bias, 1e-5)
dy = leaf(3, 6)
(y * dy.detach()).sum().backward()
put("norm.x", x), put("norm.gain", gain), put("norm.bias", bias), put("norm.y", y), put("norm.dy", dy)
put("norm.dx", x.grad), put("norm.dgain", gain.grad), put("norm.dbias", bias.grad)

x, dy = leaf(20, scale=2), leaf(20)
y = F.gelu(x)
(y * dy.detach()).sum().backward()
put("gelu.x", x), put("gelu.y", y), put("gelu.dy", dy), put("gelu.dx", x.grad)

logits = leaf(4, 7, scale=2)
loss = F.cross_entropy(logits, torch.tensor([2, -1, 0, 6]), ignore_index=-1, reduction="sum", label_smoothing=0.1)
loss.backward()
put("entropy.logits", logits), put("entropy.loss", loss), put("entropy.dlogits", logits.grad)

logits, target = leaf(6, scale=2), torch.tensor([0, 1, 0.25, 0.5, 1, 0])
loss = F.binary_cross_entropy_with_logits(logits, target, reduction="sum")
loss.backward()
put("binary.logits", logits), put("binary.target", target), put("binary.loss", loss)
put("binary.dlogits", logits.grad)

n, k, labels = 4, 3, 4
dep, head, u = leaf(n, k), leaf(n, k), leaf(labels, k, k)
w_dep, w_head, b = leaf(labels, k), leaf(labels, k), leaf(labels)
y = torch.einsum("ia,lac,ic->il", dep, u, head) + dep @ w_dep.T + head @ w_head.T + b
dy = leaf(n, labels)
(y * dy.detach()).sum().backward()
for name, tensor in (("dep", dep), ("head", head), ("u", u), ("w_dep", w_dep), ("w_head", w_head), ("b", b)):
    put(f"labels.{name}", tensor), put(f"labels.d{name}", tensor.grad)
put("labels.y", y), put("labels.dy", dy)

# Three steps of AdamW: the same gradient each time.
w, g = leaf(5), leaf(5)
put("adam.start", w), put("adam.g", g)
optimizer = torch.optim.AdamW([w], lr=0.01, betas=(0.9, 0.99), eps=1e-6, weight_decay=0.1)
for _ in range(3):
    w.grad = g.detach().clone()
    optimizer.step()
put("adam.w", w)

path = sys.argv[1] if len(sys.argv) > 1 else os.path.join(
    os.path.dirname(__file__), "../tests/unit/train/golden/layers.txt")
os.makedirs(os.path.dirname(path), exist_ok=True)
with open(path, "w", encoding="ascii") as file:
    file.write("\n".join(out) + "\n")
