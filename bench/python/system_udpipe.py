"""UDPipe 1.4 with a model that train_udpipe.py made: tokenizer, tagger, lemmas, features, trees."""

from ufal.udpipe import Model, OutputFormat, ProcessingError, Sentence


class UDPipe:
    def __init__(self, path):
        self.model = Model.load(path)
        if not self.model:
            raise RuntimeError("cannot load " + path)

    def sentences(self, text):
        reader = self.model.newTokenizer(Model.DEFAULT)
        reader.setText(text)
        error = ProcessingError()
        sentence = Sentence()
        while reader.nextSentence(sentence, error):
            self.model.tag(sentence, Model.DEFAULT)
            self.model.parse(sentence, Model.DEFAULT)
            yield sentence
            sentence = Sentence()

    def annotate(self, text):
        tokens = count = 0
        for sentence in self.sentences(text):
            # Reading every string through the binding would be a third of the time: it counts the words alone.
            tokens += len(sentence.words) - 1
            count += 1
        return tokens, count

    def conllu(self, text):
        writer = OutputFormat.newConlluOutputFormat()
        return "".join(writer.writeSentence(sentence) for sentence in self.sentences(text))


def prepare(settings):
    return lambda: UDPipe(settings["udpipeModel"])
