#!/usr/bin/env python3
"""Writes tests/fixtures/pieces: small tokenizers of every family, and what Rust's `tokenizers` makes of hard texts.

For development only (no test needs Python): pip install tokenizers==0.23.2 sentencepiece

    python3 tools/gen-piece-fixtures.py

Trained on tests/fixtures/pieces/texts.txt. NAME.json is a tokenizer.json. golden.json has the texts, and for each
tokenizer and text the number of pieces and a hash of their ids and offsets (UTF-16 units, without special tokens):
64-bit FNV-1a over id, start and end of each piece as four little-endian bytes each. Where one differs,
tests/js/pieces.test.mjs, which asks the library itself, shows how.
"""
import base64
import io
import json
import pathlib
import random
import tempfile

import sentencepiece
from tokenizers import AddedToken, Tokenizer, models, normalizers, pre_tokenizers, processors, trainers

FOLDER = pathlib.Path(__file__).parent.parent / 'tests' / 'fixtures' / 'pieces'
TEXTS = (FOLDER / 'texts.txt').read_text(encoding='utf8').splitlines()
BYTES = pre_tokenizers.ByteLevel.alphabet()

# A character map of a few rules, in place of the 300 KB of the real ones: compatibility characters, a deletion, a
# rule of two characters (as grapheme clusters are looked up whole), and blanks.
RULES = {
    'ﬁ': 'fi', 'ﬃ': 'ffi', '\u212b': 'Å', '①': '1', '㍱': 'hPa', '\u200b': ' ', '\u00a0': ' ', '\u3000': ' ', '\u00ad': '',
    'か\u3099': 'が', 'e\u0301': 'é', 'ｶ': 'カ', '½': '1/2', '…': '...', '\t': ' ', '\n': ' ', 'Ａ': 'A', '\ufeff': '',
}


def length_delimited(data):
    """The length-delimited fields of a protobuf message."""
    def varint(i):
        value = shift = 0
        while True:
            value |= (data[i] & 127) << shift
            shift += 7
            i += 1
            if data[i - 1] < 128:
                return value, i
    i = 0
    while i < len(data):
        key, i = varint(i)
        if key & 7 == 2:
            size, i = varint(i)
            yield key >> 3, data[i:i + size]
            i += size
        elif key & 7 == 0:
            _, i = varint(i)
        else:
            i += 4 if key & 7 == 5 else 8


def charsmap():
    with tempfile.NamedTemporaryFile('w', suffix='.tsv', encoding='utf8') as rules:
        for source, target in RULES.items():
            rules.write('\t'.join(' '.join(f'{ord(c):X}' for c in s) for s in (source, target)) + '\n')
        rules.flush()
        model = io.BytesIO()
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter(TEXTS), model_writer=model, vocab_size=600, hard_vocab_limit=False,
            normalization_rule_tsv=rules.name, minloglevel=2)
    normalizer = next(value for field, value in length_delimited(model.getvalue()) if field == 3)
    return next(value for field, value in length_delimited(normalizer) if field == 2)


def template(tokenizer, first, last):
    return processors.TemplateProcessing(
        single=f'{first} $A {last}', pair=f'{first} $A {last} $B {last}',
        special_tokens=[(token, tokenizer.token_to_id(token)) for token in (first, last)])


def wordpiece(lowercase):
    t = Tokenizer(models.WordPiece(unk_token='[UNK]', max_input_chars_per_word=30))
    t.normalizer = normalizers.BertNormalizer(lowercase=lowercase)
    t.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    t.train_from_iterator(TEXTS, trainers.WordPieceTrainer(
        vocab_size=700, special_tokens=['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]'], show_progress=False))
    t.post_processor = template(t, '[CLS]', '[SEP]')
    t.add_tokens([AddedToken('Day', single_word=True), AddedToken('Éclair', normalized=True)])
    return t


def byte_bpe(prefix, specials, **options):
    t = Tokenizer(models.BPE(**options))
    t.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=prefix)
    t.train_from_iterator(TEXTS, trainers.BpeTrainer(
        vocab_size=700, special_tokens=specials, initial_alphabet=BYTES, show_progress=False))
    return t


def roberta(prefix):
    t = byte_bpe(prefix, ['<s>', '<pad>', '</s>', '<unk>'])
    t.add_special_tokens([AddedToken('<mask>', lstrip=True, normalized=False)])
    t.post_processor = processors.RobertaProcessing(('</s>', 2), ('<s>', 0), trim_offsets=True, add_prefix_space=prefix)
    return t


def modernbert():
    t = byte_bpe(False, ['|||IP_ADDRESS|||', '<|padding|>'])
    t.normalizer = normalizers.NFC()
    t.add_tokens([AddedToken(' ' * n, normalized=True) for n in range(8, 1, -1)])
    t.add_special_tokens(['<|endoftext|>', '[UNK]', '[CLS]', '[SEP]', '[PAD]', AddedToken('[MASK]', lstrip=True)])
    t.post_processor = template(t, '[CLS]', '[SEP]')
    return t


def unigram(map_bytes):
    t = Tokenizer(models.Unigram())
    t.normalizer = normalizers.Sequence([normalizers.Precompiled(map_bytes)])
    t.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace()])
    t.train_from_iterator(TEXTS, trainers.UnigramTrainer(
        vocab_size=600, special_tokens=['<s>', '<pad>', '</s>', '<unk>'], unk_token='<unk>', show_progress=False))
    t.add_special_tokens([AddedToken('<mask>', lstrip=True)])
    t.post_processor = template(t, '<s>', '</s>')
    return t


def gemma():
    options = dict(unk_token='<unk>', fuse_unk=True, byte_fallback=True)
    t = Tokenizer(models.BPE(**options))
    t.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme='never')
    t.train_from_iterator(TEXTS, trainers.BpeTrainer(
        vocab_size=560, special_tokens=['<pad>', '<eos>', '<bos>', '<unk>'] + [f'<0x{i:02X}>' for i in range(256)],
        limit_alphabet=150, show_progress=False))
    t.normalizer = normalizers.Replace(' ', '▁')
    t.pre_tokenizer = pre_tokenizers.Split(' ', 'merged_with_previous')
    t.post_processor = processors.TemplateProcessing(
        single='<bos> $A', pair='<bos> $A <bos> $B', special_tokens=[('<bos>', 2)])
    return t


def changed(tokenizer, **parts):
    """A tokenizer with other parts; of "model", only the settings that are given."""
    data = json.loads(tokenizer.to_str())
    data['model'].update(parts.pop('model', {}))
    data.update(parts)
    return Tokenizer.from_str(json.dumps(data))


def sequence(key, *items):
    return {'type': 'Sequence', key: list(items)}


def split(expression, behavior='Isolated', invert=False):
    return {'type': 'Split', 'pattern': {'Regex': expression}, 'behavior': behavior, 'invert': invert}


CONTRACTIONS = "(?i:'s|'t|'re|'ve|'m|'ll|'d)"
LLAMA = (CONTRACTIONS + r"|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+")
LETTERS = (r'[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]', r'[\p{Ll}\p{Lm}\p{Lo}\p{M}]')
O200K = (r'[^\r\n\p{L}\p{N}]?' + LETTERS[0] + '*' + LETTERS[1] + '+' + CONTRACTIONS + r'?|[^\r\n\p{L}\p{N}]?' +
         LETTERS[0] + '+' + LETTERS[1] + '*' + CONTRACTIONS +
         r'?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+')
BYTE_LEVEL = {'type': 'ByteLevel', 'add_prefix_space': False, 'trim_offsets': True, 'use_regex': False}


def make():
    map_bytes = charsmap()
    precompiled = {'type': 'Precompiled', 'precompiled_charsmap': base64.b64encode(map_bytes).decode()}
    uncased, cased, plain, wide = wordpiece(True), wordpiece(False), roberta(False), unigram(map_bytes)
    fallback = gemma()
    yield 'bert-uncased', uncased
    yield 'bert-cased', cased
    yield 'wordpiece-odd', changed(
        cased,
        normalizer=sequence('normalizers', {'type': 'NFD'}, {'type': 'StripAccents'}, {'type': 'NFC'}),
        pre_tokenizer=sequence('pretokenizers', {'type': 'Whitespace'}, {'type': 'Digits', 'individual_digits': False},
                               {'type': 'Punctuation', 'behavior': 'MergedWithPrevious'}))
    yield 'roberta', plain
    yield 'roberta-prefix', roberta(True)
    yield 'modernbert', modernbert()
    yield 'xlm-roberta', wide
    yield 'deberta', changed(
        wide,
        normalizer=sequence('normalizers', {'type': 'Strip', 'strip_left': True, 'strip_right': True}, precompiled,
                            {'type': 'Replace', 'pattern': {'Regex': ' {2,}'}, 'content': ' '}),
        pre_tokenizer=sequence('pretokenizers', {'type': 'Metaspace', 'replacement': '▁', 'prepend_scheme': 'always'}))
    yield 'unigram-odd', changed(
        wide,
        normalizer=sequence('normalizers', {'type': 'Nmt'}, {'type': 'NFKC'},
                            {'type': 'Replace', 'pattern': {'Regex': ' {2,}'}, 'content': '▁'},
                            {'type': 'Prepend', 'prepend': '▁'}),
        pre_tokenizer=sequence('pretokenizers', {'type': 'Punctuation', 'behavior': 'Contiguous'},
                               {'type': 'Digits', 'individual_digits': True},
                               {'type': 'Metaspace', 'replacement': '▁', 'prepend_scheme': 'first', 'split': False}))
    yield 'gemma', fallback
    yield 'bpe-unknown', changed(
        fallback, pre_tokenizer=None, post_processor=None, model={'byte_fallback': False, 'fuse_unk': False},
        normalizer=sequence('normalizers', {'type': 'NFKD'}, {'type': 'Lowercase'}, {'type': 'Prepend', 'prepend': '▁'},
                            {'type': 'Replace', 'pattern': {'String': ' '}, 'content': '▁'}))
    trim = {'type': 'ByteLevel', 'add_prefix_space': True, 'trim_offsets': True, 'use_regex': True}
    yield 'llama', changed(
        plain, pre_tokenizer=sequence('pretokenizers', split(LLAMA), BYTE_LEVEL), model={'ignore_merges': True},
        post_processor=sequence('processors', trim, json.loads(uncased.to_str())['post_processor']))
    yield 'o200k', changed(plain, pre_tokenizer=sequence('pretokenizers', split(O200K), BYTE_LEVEL))
    yield 'split-odd', changed(
        plain, pre_tokenizer=sequence('pretokenizers', split(r'\w+|[^\w\s]+', 'Removed', True),
                                      split(r'[一-龥]+|\d{2,4}?|.(?=\s)|a{2,}?b*', 'MergedWithNext'), BYTE_LEVEL))


SPECIAL = ['[CLS]', '[SEP] ', '  [MASK]', '<s>', '</s>', ' <mask> ', 'a<mask>b', 'Day', 'Days', 'dAy', 'éclair', 'ÉCLAIR',
           'e\u0301clair', '<|endoftext|>', '<bos>', '<0x41>', '▁', '##ing', '\t\n', '     ', "DON'T", "we'Ll", 'ſ', '12345']
POOL = [int(c, 16) for c in '''300 301 302 323 327 345 344 340 AC00 1100 1161 11A8 D7A3 130 131 49 69 DF 1E9E FB01 FB03
    FDFA 2126 212B 212A 1F600 1F468 200D 1F469 FE0F 1F1E6 1F1E7 20 20 20 9 A D A0 200B 200C 2028 2581 3000 FEFF AD 61 41
    7A 30 39 660 966 2E 2C 27 2019 22 2D 2014 4E00 3042 30AB 304B 3099 309A FF76 FF9E 1 7F 80 85 FFFD E000 F900 2F800
    20000 915 94D 937 93F E01 E33 EB3 F73 F71 F72 F74 1EE3 1E69 17F 1D15E 1D400 1F100 BD B2 2460 3371 3231 2167 120 10A C4
    E9 2026 FF21 8D3 1ACE 1F41 11F41 16FF0 1DFA C3C'''.split()]


def texts():
    random.seed(11)
    yield from TEXTS
    yield from ('', ' ', '   ', 'a' * 40, 'é' * 35, '\u0301' * 20, 'x' + ' ' * 20, ' ' * 20 + 'x', '\u00ad\u00adx y')
    for _ in range(40):
        yield random.choice(['', ' ', '  ']).join(random.choice(SPECIAL) for _ in range(random.randint(1, 6)))
    for _ in range(90):
        yield ''.join(chr(random.choice(POOL)) for _ in range(random.randint(1, 24)))


def fnv1a(numbers):
    state = 0xCBF29CE484222325
    for byte in b''.join(n.to_bytes(4, 'little') for n in numbers):
        state = (state ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return state


def golden(tokenizer, text):
    units = [0]
    for c in text:
        units.append(units[-1] + (2 if ord(c) > 0xFFFF else 1))
    encoding = tokenizer.encode(text, add_special_tokens=False)
    pieces = [x for id, (a, b) in zip(encoding.ids, encoding.offsets) for x in (id, units[a], units[b])]
    return f'{len(pieces) // 3}:{fnv1a(pieces):016x}'


result = {'texts': list(texts()), 'tokenizers': {}}
for name, tokenizer in make():
    (FOLDER / f'{name}.json').write_text(
        json.dumps(json.loads(tokenizer.to_str()), ensure_ascii=False, separators=(',', ':')) + '\n', encoding='utf8')
    result['tokenizers'][name] = [golden(tokenizer, text) for text in result['texts']]
    print(name, tokenizer.get_vocab_size())
(FOLDER / 'golden.json').write_text(json.dumps(result, indent=0) + '\n', encoding='utf8')
