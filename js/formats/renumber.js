// Sentence numbers of CoNLL-U that was written in parts.

/**
 * CoNLL-U that onenlp made from a text, with `by` added to each sent_id. (No other line of it can begin like that: "# text" is
 * one line.)
 *
 * @param {string} conllu
 * @param {number} by
 */
export function renumbered(conllu, by) {
  return by === 0 ? conllu : conllu.replace(/^# sent_id = (\d+)$/gm, (_, id) => `# sent_id = ${Number(id) + by}`)
}
