// The names of Universal Dependencies in words. https://universaldependencies.org/ defines them.

export const UPOS = {
  ADJ: 'adjective', ADP: 'adposition', ADV: 'adverb', AUX: 'auxiliary', CCONJ: 'coordinating conjunction',
  DET: 'determiner', INTJ: 'interjection', NOUN: 'noun', NUM: 'numeral', PART: 'particle', PRON: 'pronoun',
  PROPN: 'proper noun', PUNCT: 'punctuation', SCONJ: 'subordinating conjunction', SYM: 'symbol', VERB: 'verb',
  X: 'other',
}

export const RELATIONS = {
  acl: 'clausal modifier of a noun', advcl: 'adverbial clause', advmod: 'adverbial modifier',
  amod: 'adjectival modifier', appos: 'apposition', aux: 'auxiliary', case: 'case marking',
  cc: 'coordinating conjunction', ccomp: 'clausal complement', clf: 'classifier', compound: 'compound',
  conj: 'conjunct', cop: 'copula', csubj: 'clausal subject', dep: 'unspecified dependency', det: 'determiner',
  discourse: 'discourse element', dislocated: 'dislocated element', expl: 'expletive', fixed: 'fixed expression',
  flat: 'flat expression', goeswith: 'goes with', iobj: 'indirect object', list: 'list', mark: 'clause marker',
  nmod: 'nominal modifier', nsubj: 'nominal subject', nummod: 'numeric modifier', obj: 'direct object',
  obl: 'oblique nominal', orphan: 'orphan', parataxis: 'parataxis', punct: 'punctuation',
  reparandum: 'overridden disfluency', root: 'root', vocative: 'vocative', xcomp: 'open clausal complement',
}

const SUBTYPES = {
  pass: 'passive', relcl: 'relative clause', poss: 'possessive', tmod: 'temporal', npmod: 'noun phrase as adverbial',
  unmarked: 'unmarked', agent: 'agent', prt: 'particle', outer: 'outer clause', predet: 'predeterminer',
  preconj: 'preconjunction', name: 'name', foreign: 'foreign', desc: 'descriptive', arg: 'argument', lvc: 'light verb',
}

const FEATURES = {
  Abbr: 'abbreviation', Animacy: 'animacy', Aspect: 'aspect', Case: 'case', Clusivity: 'clusivity', Definite: 'definiteness',
  Degree: 'degree', Deixis: 'deixis', DeixisRef: 'person of deixis', Evident: 'evidentiality', ExtPos: 'part of speech of the whole',
  Foreign: 'foreign word', Gender: 'gender', Mood: 'mood', NounClass: 'noun class', NumForm: 'form of numeral', NumType: 'type of numeral',
  Number: 'number', Person: 'person', Polarity: 'polarity', Polite: 'politeness', Poss: 'possessive', PronType: 'type of pronoun',
  Reflex: 'reflexive', Style: 'style', Tense: 'tense', Typo: 'misspelt', VerbForm: 'form of verb', Voice: 'voice',
}

// Values by feature; '*' holds those that mean the same everywhere.
const VALUES = {
  '*': { Yes: 'yes', No: 'no' },
  Animacy: { Anim: 'animate', Hum: 'human', Inan: 'inanimate', Nhum: 'non-human' },
  Aspect: { Hab: 'habitual', Imp: 'imperfective', Iter: 'iterative', Perf: 'perfective', Prog: 'progressive', Prosp: 'prospective' },
  Case: {
    Abe: 'abessive', Abl: 'ablative', Abs: 'absolutive', Acc: 'accusative', Add: 'additive', Ade: 'adessive', All: 'allative',
    Ben: 'benefactive', Cau: 'causative', Cmp: 'comparative', Cns: 'considerative', Com: 'comitative', Dat: 'dative',
    Del: 'delative', Dis: 'distributive', Ela: 'elative', Equ: 'equative', Erg: 'ergative', Ess: 'essive', Gen: 'genitive',
    Ill: 'illative', Ine: 'inessive', Ins: 'instrumental', Lat: 'lative', Loc: 'locative', Nom: 'nominative', Par: 'partitive',
    Per: 'perlative', Sbe: 'subelative', Sbl: 'sublative', Spl: 'superlative', Sub: 'subessive', Sup: 'superessive',
    Tem: 'temporal', Ter: 'terminative', Tra: 'translative', Voc: 'vocative',
  },
  Clusivity: { Ex: 'exclusive', In: 'inclusive' },
  Definite: { Com: 'complex', Cons: 'construct state', Def: 'definite', Ind: 'indefinite', Spec: 'specific' },
  Degree: { Abs: 'absolute superlative', Aug: 'augmentative', Cmp: 'comparative', Dim: 'diminutive', Equ: 'equative', Pos: 'positive', Sup: 'superlative' },
  Deixis: { Abv: 'above', Bel: 'below', Even: 'at the same level', Med: 'medial', Nvis: 'not visible', Prox: 'proximal', Remt: 'distal' },
  Evident: { Fh: 'first-hand', Nfh: 'not first-hand' },
  Gender: { Com: 'common', Fem: 'feminine', Masc: 'masculine', Neut: 'neuter' },
  Mood: {
    Adm: 'admirative', Cnd: 'conditional', Des: 'desiderative', Imp: 'imperative', Ind: 'indicative', Int: 'interrogative',
    Irr: 'irrealis', Jus: 'jussive', Nec: 'necessitative', Opt: 'optative', Pot: 'potential', Prp: 'purposive', Qot: 'quotative', Sub: 'subjunctive',
  },
  NumForm: { Combi: 'digits and letters', Digit: 'digits', Roman: 'Roman numeral', Word: 'word' },
  NumType: { Card: 'cardinal', Dist: 'distributive', Frac: 'fraction', Mult: 'multiplicative', Ord: 'ordinal', Range: 'range', Sets: 'sets' },
  Number: {
    Coll: 'collective', Count: 'count plural', Dual: 'dual', Grpa: 'greater paucal', Grpl: 'greater plural', Inv: 'inverse',
    Pauc: 'paucal', Plur: 'plural', Ptan: 'plurale tantum', Sing: 'singular', Tri: 'trial',
  },
  Person: { 0: 'zero', 1: 'first', 2: 'second', 3: 'third', 4: 'fourth' },
  Polarity: { Neg: 'negative', Pos: 'affirmative' },
  Polite: { Elev: 'elevating', Form: 'formal', Humb: 'humbling', Infm: 'informal' },
  PronType: {
    Art: 'article', Dem: 'demonstrative', Emp: 'emphatic', Exc: 'exclamative', Ind: 'indefinite', Int: 'interrogative',
    Neg: 'negative', Prs: 'personal', Rcp: 'reciprocal', Rel: 'relative', Tot: 'total',
  },
  Style: { Arch: 'archaic', Coll: 'colloquial', Expr: 'expressive', Form: 'formal', Rare: 'rare', Slng: 'slang', Vrnc: 'vernacular', Vulg: 'vulgar' },
  Tense: { Fut: 'future', Imp: 'imperfect', Past: 'past', Pqp: 'pluperfect', Pres: 'present' },
  VerbForm: { Conv: 'converb', Fin: 'finite', Gdv: 'gerundive', Ger: 'gerund', Inf: 'infinitive', Part: 'participle', Sup: 'supine', Vnoun: 'verbal noun' },
  Voice: {
    Act: 'active', Antip: 'antipassive', Bfoc: 'beneficiary focus', Cau: 'causative', Dir: 'direct', Inv: 'inverse',
    Lfoc: 'location focus', Mid: 'middle', Pass: 'passive', Rcp: 'reciprocal',
  },
}

const own = (object, name) => (Object.hasOwn(object, name) ? object[name] : null)

/** 'NOUN' -> 'noun'; null where it is no universal part of speech. */
export const uposInWords = (upos) => own(UPOS, upos)

/** 'nsubj:pass' -> 'nominal subject (passive)'; null where the relation is unknown. */
export function deprelInWords(deprel) {
  const [relation, ...subtypes] = String(deprel ?? '').split(':')
  const words = own(RELATIONS, relation)
  if (words === null) return null
  const rest = subtypes.map((name) => own(SUBTYPES, name) ?? name).join(', ')
  return rest === '' ? words : `${words} (${rest})`
}

/**
 * 'Case=Nom|Number=Sing' -> [{ name: 'Case', value: 'Nom', nameInWords: 'case', valueInWords: 'nominative' }, ...].
 * What is not known keeps its own name.
 *
 * @param {string | null} feats
 */
export function featsInWords(feats) {
  if (!feats || feats === '_') return []
  return feats.split('|').map((pair) => {
    const at = pair.indexOf('=')
    const name = at < 0 ? pair : pair.slice(0, at)
    const value = at < 0 ? '' : pair.slice(at + 1)
    // A layer in brackets: Number[psor] is the number of the possessor.
    const [, plain, layer] = name.match(/^([^[]*)(?:\[(.*)\])?$/) ?? [null, name, null]
    const nameInWords = own(FEATURES, plain) ?? plain
    return {
      name,
      value,
      nameInWords: layer ? `${nameInWords} (${layer === 'psor' ? 'possessor' : layer})` : nameInWords,
      // Several values mean "one of them".
      valueInWords: value.split(',').map((one) => own(VALUES[plain] ?? {}, one) ?? own(VALUES['*'], one) ?? one).join(' or '),
    }
  })
}
