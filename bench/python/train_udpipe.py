"""Trains a UDPipe 1 model on UD English-EWT, for its speed: sizes are those of its defaults, iterations are few, so it is
less accurate than a model that somebody took hours for.

    python train_udpipe.py TREEBANK_FOLDER OUT [--sentences N] [--iterations N]
"""

import argparse
import os
import sys

from ufal.udpipe import InputFormat, ProcessingError, Sentence, Sentences, Trainer


def read(path, most):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    reader = InputFormat.newConlluInputFormat()
    reader.setText(text)
    error = ProcessingError()
    sentences = Sentences()
    sentence = Sentence()
    while len(sentences) < most and reader.nextSentence(sentence, error):
        sentences.append(sentence)
        sentence = Sentence()
    if error.occurred():
        sys.exit(f"{path}: {error.message}")
    return sentences


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("treebank")
    parser.add_argument("out")
    parser.add_argument("--sentences", type=int, default=2000)
    parser.add_argument("--iterations", type=int, default=3)
    options = parser.parse_args()
    train = read(os.path.join(options.treebank, "train.conllu"), options.sentences)
    heldout = read(os.path.join(options.treebank, "dev.conllu"), 300)
    error = ProcessingError()
    model = Trainer.train(
        "morphodita_parsito", train, heldout,
        "epochs=10;batch_size=50;dimension=24;tokenize_url=1;allow_spaces=0;early_stopping=1",
        f"iterations={options.iterations}",
        f"iterations={options.iterations};embedding_upostag=20;embedding_feats=20;embedding_xpostag=0;embedding_form=50;"
        "embedding_lemma=0;embedding_deprel=20;learning_rate=0.02;learning_rate_final=0.001;l2=0.5;hidden_layer=200;"
        "batch_size=10;transition_system=projective;transition_oracle=dynamic;structured_interval=8",
        error)
    if error.occurred():
        sys.exit(error.message)
    # The binding gives the model as a string of bytes with the surrogates of undecodable ones.
    data = model if isinstance(model, bytes) else model.encode("utf-8", "surrogateescape")
    with open(options.out + ".part", "wb") as file:
        file.write(data)
    os.replace(options.out + ".part", options.out)


main()
