#!/usr/bin/env python3
"""Makes the tiny transformer models of tests/fixtures/transformer, and what onnxruntime computes with them.

For development only; no test runs it. It needs torch, transformers, onnx, onnxscript, onnxruntime and tokenizers:

    python3 tools/transformer-fixtures.py tests/fixtures/transformer

The weights are random. Each <name>.onnx has a <name>.bin: a tolerance (float32), the width and the number of sequences
(uint32), then for each sequence its length and piece numbers, then the last hidden states (float32). bert.onnx goes with
bert.tokenizer.json. The models <name>-tuned.onnx are what `onenlp train` made of bert.onnx and modernbert.onnx; they are
left as they are, only what onnxruntime computes with them is made anew.
"""

import logging
import os
import sys
import warnings

import numpy as np
import onnx
import onnxruntime
import torch
import transformers
from onnx import helper, numpy_helper
from onnxruntime.quantization import QuantType, quantize_dynamic

warnings.filterwarnings("ignore")
logging.disable(logging.WARNING)

SIZES = dict(vocab_size=64, hidden_size=16, num_hidden_layers=2, num_attention_heads=2, intermediate_size=24)
LENGTHS = (9, 1, 30, 17, 3)
LONG = 150  # for models without a table of positions: local attention then has keys that nobody sees


def bert(**options):
    config = transformers.BertConfig(**SIZES, max_position_embeddings=34, **options)
    return transformers.BertModel(config, add_pooling_layer=False), True


def roberta(**options):
    config = transformers.RobertaConfig(**SIZES, max_position_embeddings=36, type_vocab_size=1, **options)
    return transformers.RobertaModel(config, add_pooling_layer=False), False


def xlmr(**options):
    config = transformers.XLMRobertaConfig(**SIZES, max_position_embeddings=36, type_vocab_size=1, **options)
    return transformers.XLMRobertaModel(config, add_pooling_layer=False), False


def modernbert(**options):
    sizes = dict(SIZES, num_hidden_layers=3, intermediate_size=12)
    config = transformers.ModernBertConfig(
        **sizes, max_position_embeddings=64, local_attention=8, global_attn_every_n_layers=2, pad_token_id=0,
        cls_token_id=1, sep_token_id=2, bos_token_id=1, eos_token_id=2, **options)
    return transformers.ModernBertModel(config), False


class LastHiddenState(torch.nn.Module):
    def __init__(self, model, types):
        super().__init__()
        self.model, self.types = model, types

    def forward(self, ids, mask, types=None):
        more = {"token_type_ids": types} if self.types else {}
        return self.model(input_ids=ids, attention_mask=mask, **more).last_hidden_state


def export(make, path, opset, attention="eager", dynamo=False):
    torch.manual_seed(1)
    model, types = make(attn_implementation=attention)
    model.eval()
    for p in model.parameters():
        if p.dim() > 1:
            p.data.normal_(0, 0.2)
        else:
            p.data.add_(torch.randn_like(p) * 0.1)
    ids = torch.randint(5, 60, (2, 9))
    mask = torch.ones_like(ids)
    mask[1, 6:] = 0
    arguments = (ids, mask) + ((torch.zeros_like(ids),) if types else ())
    names = ["input_ids", "attention_mask"] + (["token_type_ids"] if types else [])
    if dynamo:
        sizes = {0: torch.export.Dim("batch"), 1: torch.export.Dim("sequence", max=34)}
        more = dict(dynamo=True, dynamic_shapes=tuple(sizes for _ in arguments), external_data=False, verbose=False)
    else:
        axes = {name: {0: "batch", 1: "sequence"} for name in names + ["last_hidden_state"]}
        more = dict(dynamo=False, dynamic_axes=axes)
    torch.onnx.export(LastHiddenState(model, types), arguments, path, input_names=names,
                      output_names=["last_hidden_state"], opset_version=opset, **more)


def shorten(path):
    """Short names, and nothing that does not count: small files that cannot be recognized by their names."""
    model = onnx.load(path)
    graph = model.graph
    kept = {v.name for v in graph.input} | {v.name for v in graph.output}
    names = {}

    def short(name):
        if not name or name in kept:
            return name
        return names.setdefault(name, f"v{len(names)}")

    for node in graph.node:
        node.name = node.doc_string = ""
        del node.metadata_props[:]
        node.input[:] = [short(name) for name in node.input]
        node.output[:] = [short(name) for name in node.output]
    for tensor in graph.initializer:
        tensor.name = short(tensor.name)
        tensor.doc_string = ""
        del tensor.metadata_props[:]
    del graph.value_info[:], graph.metadata_props[:], model.metadata_props[:], model.functions[:]
    onnx.save(model, path)


def to_half(source, path):
    """Weights as float16, widened in the graph: what is computed stays float32."""
    model = onnx.load(source)
    graph = model.graph
    casts, tensors = [], []
    for tensor in graph.initializer:
        if tensor.data_type != onnx.TensorProto.FLOAT or len(tensor.dims) == 0:
            tensors.append(tensor)
            continue
        half = numpy_helper.from_array(numpy_helper.to_array(tensor).astype(np.float16), tensor.name + "h")
        tensors.append(half)
        casts.append(helper.make_node("Cast", [half.name], [tensor.name], to=onnx.TensorProto.FLOAT))
    nodes = casts + list(graph.node)
    del graph.initializer[:], graph.node[:]
    graph.initializer.extend(tensors)
    graph.node.extend(nodes)
    onnx.save(model, path)


def typed_data(source, path):
    """The same tensors written by type (float_data, int64_data) instead of as raw bytes."""
    model = onnx.load(source)
    for tensor in model.graph.initializer:
        if tensor.data_type not in (onnx.TensorProto.FLOAT, onnx.TensorProto.INT64):
            continue
        typed = helper.make_tensor(tensor.name, tensor.data_type, tensor.dims, numpy_helper.to_array(tensor).ravel())
        tensor.CopyFrom(typed)
    onnx.save(model, path)


def sequences(path):
    random = np.random.default_rng(3)
    return [random.integers(5, 60, size=n) for n in LENGTHS + ((LONG,) if "modernbert" in path else ())]


def run(path):
    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    names = [value.name for value in session.get_inputs()]
    outputs = []
    for sequence in sequences(path):
        ids = np.array([sequence], dtype=np.int64)
        feed = dict(input_ids=ids, attention_mask=np.ones_like(ids), token_type_ids=np.zeros_like(ids))
        outputs.append(session.run(None, {name: feed[name] for name in names})[0][0].astype(np.float32))
    return np.concatenate(outputs)


def expect(path, tolerance=1e-4, output=None):
    output = run(path) if output is None else output
    with open(os.path.splitext(path)[0] + ".bin", "wb") as file:
        file.write(np.float32(tolerance).tobytes())
        file.write(np.array([output.shape[1], len(sequences(path))], dtype=np.uint32).tobytes())
        for sequence in sequences(path):
            file.write(np.array([len(sequence), *sequence], dtype=np.uint32).tobytes())
        file.write(output.astype(np.float32).tobytes())
    print(f"{path}: {os.path.getsize(path)} bytes, tolerance {tolerance:.3g}")


def tokenizer(path):
    from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors

    letters = "abcdefghijklmnopqrstuvwxyz"
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", ".", ",", "'", "the", "##ing", "##s"]
    pieces += list(letters) + ["##" + letter for letter in letters]
    vocabulary = {piece: i for i, piece in enumerate(pieces)}
    made = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]", max_input_chars_per_word=100))
    made.normalizer = normalizers.BertNormalizer(lowercase=True)
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    made.decoder = decoders.WordPiece()
    made.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)])
    made.save(path, pretty=False)
    assert len(pieces) <= SIZES["vocab_size"], len(pieces)


def main(folder):
    os.makedirs(folder, exist_ok=True)
    plain = {
        "bert": (bert, 17, "sdpa", False),
        "roberta": (roberta, 13, "eager", False),
        "xlmr": (xlmr, 18, "sdpa", True),
        "modernbert": (modernbert, 17, "sdpa", False),
        "modernbert-11": (modernbert, 11, "eager", False),
    }
    for name, (make, opset, attention, dynamo) in plain.items():
        path = os.path.join(folder, name + ".onnx")
        export(make, path, opset, attention, dynamo)
        shorten(path)
        expect(path)
    for name in ("bert", "modernbert"):
        source = os.path.join(folder, name + ".onnx")
        for kind, convert in (("half", to_half), ("typed", typed_data)):
            if name == "modernbert" and kind == "typed":
                continue
            path = os.path.join(folder, f"{name}-{kind}.onnx")
            convert(source, path)
            expect(path)
        # How far rounding to 8 bits leads away is the error that is allowed.
        path = os.path.join(folder, f"{name}-int8.onnx")
        quantize_dynamic(source, path, weight_type=QuantType.QInt8 if name == "bert" else QuantType.QUInt8,
                         per_channel=name == "modernbert")
        shorten(path)
        exact, rounded = run(source), run(path)
        expect(path, float(np.abs(exact - rounded).max()), exact)
    for name in ("bert", "modernbert"):
        expect(os.path.join(folder, f"{name}-tuned.onnx"))
    tokenizer(os.path.join(folder, "bert.tokenizer.json"))


if __name__ == "__main__":
    main(sys.argv[1])
