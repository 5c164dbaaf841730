// What tools/train-thai.mjs gives its teacher to read, and the texts that it starts from.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deflateRawSync } from 'node:zlib'

import { converters } from '../../tools/corpora.mjs'
import { cut, retagged, sentencesOf, spaced, without } from '../../tools/thai-texts.mjs'

const row = (id, form, pos, misc = 'SpaceAfter=No') => `${[id, form, '_', pos, '_', '_', '_', '_', '_', misc].join('\t')}\n`
const words = (...forms) => `${forms.map((form, i) => row(i + 1, form.replace('_', ''), '_', form.endsWith('_') ? '_' : undefined)).join('')}\n`
const forms = (conllu) => conllu.split('\n').map((line) => line.split('\t')[1] ?? line)

test('words stand one blank apart, and a sign says where the text has one', () => {
  const sentences = sentencesOf(`# newpar\n# text = แมว กิน\n${words('แมว_', 'กิน', 'ปลา ทู')}${words('หมา')}`)
  assert.deepEqual(forms(spaced(sentences)), ['# newpar', '▁แมว', '▁กิน', 'ปลา▁ทู', '', '▁หมา', '', ''])
  assert.doesNotMatch(spaced(sentences), /SpaceAfter/)
})

test('parts of speech come back to the words as they were', () => {
  const sentences = sentencesOf(words('แมว_', 'กิน', 'ปลา'))
  const told = spaced(sentences).replace(/(\d\t\S+\t_)\t_/g, '$1\tX')
  assert.equal(retagged(sentences, sentencesOf(told)), `${row(1, 'แมว', 'X', '_')}${row(2, 'กิน', 'X')}${row(3, 'ปลา', 'X')}\n`)
  assert.throws(() => retagged(sentences, sentencesOf(words('แมว'))), /other words/)
})

test('long paragraphs are cut at blanks', () => {
  const text = (count, blank) => words(...Array.from({ length: count }, (_, i) => `ก${(i + 1) % blank === 0 ? '_' : ''}`))
  const lengths = (conllu) => cut(sentencesOf(conllu)).map((sentence) => [sentence.paragraph, sentence.words.length])
  assert.deepEqual(lengths(`# newpar\n${text(30, 5)}# newpar\n${text(70, 100)}`), [[true, 15], [false, 15], [true, 60], [false, 10]])
  assert.deepEqual(lengths(`# newpar\n${text(3, 9)}${text(2, 9)}`), [[true, 5]])
  assert.deepEqual(cut(sentencesOf(text(30, 5)))[1].words[0].row[0], '1')
})

test('paragraphs with a piece of a known sentence are left out', () => {
  const known = '# text = abcdefghij klmnopqrstuvwxyz\n1\ta\n'
  assert.equal(without('xx bcdefghijklmnopqrst uvwxy yy\n\nbcdefghijklmno\n\nzz\n', [known]), 'bcdefghijklmno\n\nzz\n')
})

/** A zip archive of these files; every second one is not compressed. */
function zip(files) {
  const parts = []
  const directory = []
  let at = 0
  files.forEach(([name, text], i) => {
    const [title, plain] = [Buffer.from(name), Buffer.from(text)]
    const packed = i % 2 === 0 ? deflateRawSync(plain) : plain
    const head = (signature, rest) => {
      const bytes = Buffer.alloc(rest)
      bytes.write(signature, 'latin1')
      return bytes
    }
    const local = head('PK\x03\x04', 30)
    local.writeUInt16LE(title.length, 26)
    local.writeUInt16LE(3, 28)
    const entry = head('PK\x01\x02', 46)
    entry.writeUInt16LE(i % 2 === 0 ? 8 : 0, 10)
    entry.writeUInt32LE(packed.length, 20)
    entry.writeUInt32LE(plain.length, 24)
    entry.writeUInt16LE(title.length, 28)
    entry.writeUInt16LE(2, 30)
    entry.writeUInt32LE(at, 42)
    parts.push(local, title, Buffer.alloc(3), packed)
    directory.push(entry, title, Buffer.alloc(2))
    at += 33 + title.length + packed.length
  })
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(files.length, 10)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...parts, ...directory, end])
}

test('paragraphs of Thai text, each once', () => {
  const long = 'แมวของฉันชอบนอนบนหลังคาบ้าน'
  const line = (context) => `${JSON.stringify({ context })}\n`
  const archive = zip([
    ['data/valid.jsonl', line(`${long}\n\nกลางวันมันนอนใต้ต้นไม้ใหญ่หน้าบ้าน`)],
    ['data/train.jsonl', line(long) + line(`สั้น\n${long}`) + line('mostly English text with ไทย in it')],
    ['data/test.jsonl', line(`เย็น \u200b แล้วมันกลับมากินข้าวในบ้าน`)],
    ['__MACOSX/._train.jsonl', 'no JSON'],
  ])
  assert.equal(converters.wikiQuestions([archive]),
    `${long}\n\nกลางวันมันนอนใต้ต้นไม้ใหญ่หน้าบ้าน\n\nเย็น แล้วมันกลับมากินข้าวในบ้าน\n`)
  const asked = 'แมวของฉันชอบนอนที่ไหนในตอนกลางวันและในตอนกลางคืน'
  const questions = { data: [{ paragraphs: [{ context: long.repeat(2), qas: [{ question: asked }, { question: 'ที่ไหน' }] }] }] }
  assert.equal(converters.xquad([Buffer.from(JSON.stringify(questions))]), `${long.repeat(2)}\n\n${asked}\n`)
})
