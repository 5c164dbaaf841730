// Texts on which implementations part ways. All are our own.

export const hardTexts = {
  'nothing': '',
  'white space only': ' \t\n\n  ',
  'a sentence': 'Ada met Bob in Paris.',
  'two sentences': 'They didn\'t stay. He\'d gone to the U.S. by then, hadn\'t he?',
  'contractions': 'I can\'t, won\'t, shan\'t, cannot; it\'s Ada\'s. Gonna wanna gimme. I\'d\'ve gone. CAN\'T!',
  'typographic quotes': '“Don’t,” she said, “it’s—well—Ada’s.”',
  'astral characters': 'We 😀 saw 𝒜da 👩‍👩‍👧‍👦 in 🇫🇷. 𝟙𝟚 apples!',
  'combining marks': 'Cafe\u0301 nai\u0308ve — Z\u0351\u036b\u0343a\u0310\u0305\u0304l\u0300go.',
  'lone surrogates': 'a \ud83d b \ude00 c \ud800\ud800\udc00',
  'control characters': 'a\u0000b \u0001 c\u007f d\u0085e \u2028 f \u2029 g\u000bh\u000ci',
  'byte-order marks': '\ufeffStart. Mid\ufeffdle.\ufeff',
  'no-break and zero-width spaces': 'a\u00a0b\u202fc\u3000d\u200be\u2060f\u00adg',
  'line ends': 'one\r\ntwo\rthree\n\r\n\r\nfour\n\n\n\nfive',
  'tabs and bars': 'a\tb | c _ d \\ e\\tf \\p # g\n# h\n1\tx\ty',
  'underscores': '_ __ _a_ \n\n_',
  'addresses': 'See https://example.org/a?b=c&d=e#f, mail a.b+c@example.co.uk or ring +1 (555) 010-9999 at 3:45 p.m.!',
  'numbers': '1,234.56 3.14 1/2 50% $5.00 -7 1e5 0x1F 12:30 2026-11-29 ½ ²',
  'emoticons': ':-) :( ;) <3 ^_^ :D xD',
  'no letters': '... ??? !!! --- *** ((( )))',
  'other scripts': 'Привет, мир! 你好，世界。 שלום عليكم नमस्ते สวัสดี 안녕하세요. İstanbul\'da ıŞık.',
  'case mappings': 'STRASSE Straße ẞ İI ıi ǅ ﬁ Σς ΟΔΥΣΣΕΥΣ',
  'a long word': 'x'.repeat(5000),
  'many short lines': 'a\n'.repeat(600),
  'a paragraph above the limit of a unit': 'The cat saw the dogs near a house. '.repeat(150),
  'a sentence above the limit of a unit': `${'very '.repeat(1200)}long.`,
  'many paragraphs': 'First line.\n\nSecond one here.\n\n'.repeat(40),
}

/** Numbers that are the same at every run (mulberry32). */
export function randomNumbers(seed) {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

const PIECES = [
  'the', 'cat', "don't", 'Dr.', 'U.S.', 'said', '.', '!', '?', ',', '"', '(', ')', '-', '...', ':-)', '3.14', '$5',
  'http://a.b/c?d', 'x@y.org', '😀', '👨‍👩‍👧', '🇫🇷', 'مرحبا', 'שלום', 'мир', '日本語', 'ไทย', 'é', 'e\u0301', '\u202e', '\u200d',
  '\u0001', '\u001f', '\u00ad', '\ufeff', '\ud83d\ude00', '_', '|', '=', '#', '\\', '\u00a0', '\u2028', '\t', '\v', '\r\n',
]
export const GAPS = ['', '', ' ', ' ', ' ', '\n', '\n\n', '  ', '\t', '\u3000']

/** A text of words, signs and characters that are hard on a tokenizer. */
export function randomText(random, pieces) {
  let text = ''
  for (let i = 0; i < pieces; i++) {
    const plain = random() < 0.9
    text += plain ? PIECES[Math.floor(random() * PIECES.length)] : randomCharacter(random)
    text += GAPS[Math.floor(random() * GAPS.length)]
  }
  return text
}

function randomCharacter(random) {
  const code = 1 + Math.floor(random() * 0x10fffe)
  return code >= 0xd800 && code <= 0xdfff ? 'x' : String.fromCodePoint(code)
}
