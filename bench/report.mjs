// The tables of bench/run.mjs, in Markdown.

export const median = (values) => {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

const table = (head, rows) => [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

const rate = (perMillisecond) => (perMillisecond >= 100 ? perMillisecond.toFixed(0) : perMillisecond >= 10 ? perMillisecond.toFixed(1) : perMillisecond.toFixed(2))

/** Times of the same rounds compared: how many times as fast `system` is. */
export function ratio(system, reference, text) {
  const of = new Map(reference.warm[text]?.map(({ round, ms }) => [round, ms]))
  const ratios = (system.warm[text] ?? []).filter(({ round }) => of.has(round)).map(({ round, ms }) => of.get(round) / ms)
  if (ratios.length > 0) return median(ratios)
  const [mine, others] = [system.warm[text], reference.warm[text]]
  return mine?.length && others?.length ? median(others.map(({ ms }) => ms)) / median(mine.map(({ ms }) => ms)) : null
}

/** Warm rates in thousands of tokens a second of processor time, and times as fast as the references. */
export function speedTable(systems, texts, references, comparedTexts = texts) {
  const compared = references.filter(Boolean).flatMap((reference) => comparedTexts.map((text) => ({ reference, text })))
  const head = ['system', 'runtime', ...texts.map((text) => `${text}, thousand tokens/s`),
    ...compared.map(({ reference, text }) => `${text}, ${reference.name} = 1`), 'what it does']
  return table(head, systems.map((system) => [
    system.name,
    system.runtime,
    ...texts.map((text) => (system.warm[text]?.length ? rate(median(system.warm[text].map(({ tokens, thread }) => tokens / thread))) : '-')),
    ...compared.map(({ reference, text }) => ratio(system, reference, text)?.toFixed(2) ?? '-'),
    system.does,
  ]))
}

/** Starts and first passes; those of the same task also against the reference's, as medians over the rounds. */
export function startTable(systems, reference) {
  const against = (system, compare) => {
    const of = new Map(reference?.start_?.rounds.map((round) => [round.round, round]))
    const ratios = system.start_.rounds.flatMap((mine) => (of.has(mine.round) ? compare(mine, of.get(mine.round)) : []))
    return system.task === reference?.task && ratios.length > 0 ? median(ratios) : null
  }
  const times = (value, digits) => value?.toFixed(digits) ?? '-'
  const megabytes = (bytes) => (bytes === null ? '-' : (bytes / 1e6).toFixed(1))
  const ms = (value) => (value === null ? '-' : value.toFixed(1))
  return table(
    ['system', 'runtime', 'to the first sentence, ms of its thread', 'ms of all threads', 'ms on the clock', 'memory then, MB',
      'MB above the bare runtime', 'first pass, thousand tokens/s',
      ...(reference ? [`start, share of ${reference.name}'s`, `first pass, ${reference.name} = 1`] : [])],
    systems.filter(({ start_ }) => start_).map((system) => {
      const { name, runtime, start_: s } = system
      const compared = [times(against(system, (a, b) => a.thread / b.thread), 3),
        times(against(system, (a, b) => a.firstPass / b.firstPass), 2)]
      return [name, runtime, ms(s.thread), ms(s.process), ms(s.wall), megabytes(s.memory), megabytes(s.above),
        rate(s.firstPass), ...(reference ? compared : [])]
    }))
}

export function growthTable(rows) {
  const powers = [...new Set(rows.flatMap(({ ms }) => Object.keys(ms)))].sort()
  const size = (power) => (power < 6 ? `${10 ** (power - 3)} KB` : `${10 ** (power - 6)} MB`)
  const against = powers.slice(1)
  return table(
    ['system', 'runtime', ...powers.map((power) => `${size(power)}, ms`), ...against.map((power) => `${size(power)} / 10 x ${size(power - 1)}`)],
    rows.map(({ system, ms }) => [
      system.name, system.runtime, ...powers.map((power) => ms[power]?.toFixed(1) ?? '-'),
      ...against.map((power) => (ms[power] && ms[power - 1] ? (ms[power] / (10 * ms[power - 1])).toFixed(2) : '-'))]))
}

export function accuracyTable(rows) {
  const metrics = ['Tokens', 'Sentences', 'Words', 'UPOS', 'XPOS', 'UFeats', 'Lemmas', 'UAS', 'LAS']
  // Relations of others are not those of UD, and a tree that only fills the columns has no meaning.
  const trees = (system) => /^(full|fast)-|^udpipe$/.test(system.id)
  return table(['system', ...metrics], rows.map(({ system, scores }) => [
    system.name, ...metrics.map((metric) => {
      const f1 = scores[metric]?.f1
      const known = typeof f1 === 'number' && (trees(system) || !/^[UL]AS$/.test(metric))
      return known ? (f1 <= 1 ? f1 * 100 : f1).toFixed(2) : '-'
    })]))
}

export function transformerTable({ model, load, cases }) {
  const ms = (value) => (value === null || value === undefined ? '-' : value.toFixed(1))
  const of = (what) => [ms(load.onenlp?.[what]), ms(load.onnxruntime?.[what])]
  return table([`${model}, one thread of Node`, 'onenlp', 'onnxruntime-web'], [
    ['load, ms', ...of('ms')], ['memory grows by, MB', ...of('memory')],
    ...cases.map(({ name, onenlp, onnxruntime }) => [`${name}, ms`, ms(onenlp), ms(onnxruntime)])])
}
