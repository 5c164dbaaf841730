#!/usr/bin/env python3
"""Makes pairs.conllu and counts.tsv: damaged pairs of sentences.conllu, and what the official evaluation
script of the CoNLL 2018 shared task counts on them.

    make.py SCRIPT [CASES [SEED]]

SCRIPT is conll18_ud_eval.py of https://github.com/ufal/conll2018 (evaluation_script/), which is not part of
this repository. Every case is a gold and a system version of a few sentences that have the same characters:
words split, merged, turned into multiword tokens and back, sentence ends moved, columns and heads changed.
"""

import copy
import importlib.util
import pathlib
import random
import sys

METRICS = ("Tokens Sentences Words UPOS XPOS UFeats AllTags Lemmas UAS LAS CLAS MLAS BLEX").split()
LEMMA, UPOS, XPOS, FEATS, DEPREL = 2, 3, 4, 5, 7
TAGS = ["NOUN", "VERB", "X", "_"]
RELATIONS = ["nsubj", "nsubj:pass", "det", "case", "cc", "mark", "aux:pass", "cop", "clf", "punct", "obl:tmod",
             "root", "strange", ":x", "_"]
FEATURES = ["Case=Nom", "Case=Acc,Nom", "Number=Sing", "Number[psor]=Plur", "Abbr", "Typo=Yes", "Voice=Act", "Own=1"]
FORMS = ["İ", "i̇", "ΑΣ", "ας", "ασ", "Σ", "ΣΣ.", "ß", "ǅ", "Ⱥ"]
BLANKS = [" ", "\u00a0", "\u2003", "\u3000", "\u202f"]


def load(path):
    """Sentences as lists of surface tokens (form, words); a word knows its columns and its parent."""
    sentences = []
    for block in pathlib.Path(path).read_text(encoding="utf-8").strip().split("\n\n"):
        tokens, words, last = [], [], 0
        for line in block.split("\n"):
            columns = line.split("\t")
            if line.startswith("#") or "." in columns[0]:
                continue
            if "-" in columns[0]:
                last = int(columns[0].split("-")[1])
                tokens.append({"form": columns[1], "words": [], "range": True})
                continue
            word = {"columns": columns, "head": int(columns[6])}
            words.append(word)
            if len(words) <= last:
                tokens[-1]["words"].append(word)
            else:
                tokens.append({"form": columns[1], "words": [word], "range": False})
        for word in words:
            word["parent"] = words[word["head"] - 1] if word["head"] else None
        sentences.append(tokens)
    return sentences


def plain(form, word):
    word["columns"][1] = form
    return {"form": form, "words": [word], "range": False}


def copied(word, form):
    other = {"columns": list(word["columns"]), "parent": word["parent"]}
    other["columns"][1] = form
    return other


def other_form(form, r):
    return r.choice([form.upper(), form.lower(), form + "x", r.choice(FORMS), form[:1] + " " + form[1:]])


def retokenize(tokens, rate, r):
    """Returns the new tokens, and for each whether it holds the end of an old sentence."""
    out, at = [], 0
    while at < len(tokens):
        token, choice = tokens[at], r.random()
        taken = [token]
        cut = r.randrange(1, max(2, len(token["form"])))
        left, right = token["form"][:cut], token["form"][cut:]
        if choice < rate / 4 and left.strip() and right.strip():
            word = token["words"][0]
            out.append((plain(left, word), False))
            out.append((plain(right, copied(token["words"][-1], right)), False))
        elif choice < rate / 2 and at + 1 < len(tokens):
            taken.append(tokens[at + 1])
            blank = r.choice(BLANKS) if r.random() < 0.3 else ""
            out.append((plain(token["form"] + blank + taken[1]["form"], token["words"][0]), False))
        elif choice < rate * 3 / 4:
            taken = tokens[at:at + r.choice([1, 1, 2, 2, 3, 6])]
            words = [word for t in taken for word in t["words"]]
            while len(words) < 2 or r.random() < 0.3:
                other = copied(words[0], r.choice([words[0]["columns"][1], "de", "a"]))
                words.insert(r.randrange(len(words) + 1), other)
            if len(words) > 2 and r.random() < 0.2:
                words.pop(r.randrange(len(words)))
            for word in words:
                if r.random() < 0.3:
                    word["columns"][1] = other_form(word["columns"][1], r)
            out.append(({"form": "".join(t["form"] for t in taken), "words": words, "range": True}, False))
        elif choice < rate and token["range"]:
            out.append((plain(token["form"], token["words"][0]), False))
        else:
            out.append((token, False))
        out[-1] = (out[-1][0], any(t["last"] for t in taken))
        at += len(taken)
    return out


def make_tree(words, r):
    """Repairs parents that left the sentence, and cycles."""
    inside = {id(word) for word in words}
    loose = [w for w in words if w["parent"] is None or id(w["parent"]) not in inside or w["parent"] is w]
    root = loose[0] if loose else r.choice(words)
    for word in loose:
        word["parent"] = root
    root["parent"] = None
    for word in words:
        seen = set()
        while word is not root and id(word) not in seen:
            seen.add(id(word))
            word = word["parent"]
        if word is not root:
            word["parent"] = root


def damage(sentences, columns, tokens, r):
    sentences = copy.deepcopy(sentences)
    for sentence in sentences:
        for token in sentence:
            token["last"] = token is sentence[-1]
    out = [[]]
    for token, last in retokenize([t for s in sentences for t in s], tokens, r):
        out[-1].append(token)
        if r.random() < (1 - tokens if last else tokens / 10):
            out.append([])
    out = [sentence for sentence in out if sentence]
    for sentence in out:
        words = [word for token in sentence for word in token["words"]]
        for word in words:
            if r.random() < columns:
                word["columns"][LEMMA] = r.choice(["_", "thing", word["columns"][1]])
            for tag in (UPOS, XPOS):
                if r.random() < columns:
                    word["columns"][tag] = r.choice(TAGS)
            if r.random() < columns:
                word["columns"][FEATS] = "|".join(r.sample(FEATURES, r.randrange(1, 4)))
            if r.random() < 0.05:
                word["columns"][FEATS] = "|".join(reversed(word["columns"][FEATS].split("|")))
            if r.random() < columns:
                word["columns"][DEPREL] = r.choice(RELATIONS)
            if r.random() < columns:
                word["parent"] = r.choice(words)
        make_tree(words, r)
    return out


def write(sentences, comments, empty=()):
    lines = []
    for sentence in sentences:
        words = [word for token in sentence for word in token["words"]]
        number = {id(word): n for n, word in enumerate(words, 1)}
        lines += comments
        for token in sentence:
            if token["range"]:
                first, last = (number[id(token["words"][i])] for i in (0, -1))
                lines.append("\t".join([f"{first}-{last}", token["form"]] + ["_"] * 8))
            for word in token["words"]:
                columns = ["_" if i in empty else column for i, column in enumerate(word["columns"])]
                columns[0] = str(number[id(word)])
                columns[6] = str(number[id(word["parent"])]) if word["parent"] is not None else "0"
                lines.append("\t".join(columns))
        lines.append("")
    return "\n".join(lines) + "\n"


def make_pair(sentences, r):
    """Gold and system as text, without comments; some lack a column."""
    columns, tokens = r.choice([0.05, 0.2, 0.5]), r.choice([0, 0.1, 0.3, 0.8])
    gold = damage(sentences, columns if r.random() < 0.3 else 0, tokens if r.random() < 0.4 else 0, r)
    system = damage(gold if r.random() < 0.2 else sentences, columns, tokens, r)
    empty = {r.choice([LEMMA, UPOS, XPOS, FEATS, DEPREL])} if r.random() < 0.2 else set()
    return write(gold, [], empty if r.random() < 0.6 else ()), write(system, [], empty)


def presence(texts):
    """Which metrics score.h calls present, from the columns that the texts set."""
    has = []
    for text in texts:
        words = [line.split("\t") for line in text.split("\n") if line and "-" not in line.split("\t")[0]]
        has.append({c for c in (LEMMA, UPOS, XPOS, FEATS, DEPREL) if any(w[c] != "_" for w in words)})
    both, one = has[0] & has[1], has[0] ^ has[1]
    needs = {"UPOS": {UPOS}, "XPOS": {XPOS}, "UFeats": {FEATS}, "Lemmas": {LEMMA}, "LAS": {DEPREL}, "CLAS": {DEPREL},
             "MLAS": {DEPREL}, "BLEX": {DEPREL, LEMMA}}
    mixes = {"AllTags": {UPOS, XPOS, FEATS}, "MLAS": {UPOS, FEATS}}
    return {m: needs.get(m, set()) <= both and (m not in mixes or (not mixes[m] & one and bool(mixes[m] & both)))
            for m in METRICS}


def official_counts(script, texts, scratch):
    loaded = []
    for text in texts:
        scratch.write_text(text, encoding="utf-8")
        loaded.append(script.load_conllu_file(scratch))
    scores, present = script.evaluate(*loaded), presence(texts)
    scratch.unlink()
    return [(m, s.correct, s.gold_total, s.system_total, "-" if s.aligned_total is None else s.aligned_total)
            if present[m] else (m, "-", "-", "-", "-") for m, s in ((m, scores[m]) for m in METRICS)]


def load_script(path):
    spec = importlib.util.spec_from_file_location("official", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def main():
    here = pathlib.Path(__file__).parent
    script = load_script(sys.argv[1])
    cases = int(sys.argv[2]) if len(sys.argv) > 2 else 48
    r = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    sentences = load(here / "sentences.conllu")
    pairs, counts = [], ["case\tmetric\tcorrect\tgold\tsystem\taligned"]
    for case in range(1, cases + 1):
        texts = make_pair(r.sample(sentences, r.choice([1, 2])), r)
        for name, text in zip(("gold", "system"), texts):
            comment = f"# case = {case} {name}\n"
            pairs.append("".join(comment + block + "\n\n" for block in text.strip().split("\n\n")))
        for row in official_counts(script, texts, here / "scratch.conllu"):
            counts.append("\t".join(str(cell) for cell in (case,) + row))
    (here / "pairs.conllu").write_text("".join(pairs), encoding="utf-8")
    (here / "counts.tsv").write_text("\n".join(counts) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
