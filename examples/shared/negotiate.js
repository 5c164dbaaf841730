// Media types, as the headers Content-Type and Accept name them.

/** 'text/plain; charset=utf-8' in its parts, in small letters. */
export function mediaType(header) {
  const [type, ...parameters] = header.split(';').map((part) => part.trim().toLowerCase())
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))?.slice('charset='.length).replaceAll('"', '')
  return { type, charset }
}

/** How exactly a range of Accept names a type: 3 to 1, or 0. */
function fit(range, type) {
  if (range === type) return 3
  if (range === `${type.split('/')[0]}/*`) return 2
  return range === '*/*' ? 1 : 0
}

/**
 * The type that the header Accept prefers, among equals the first one; null if it accepts none.
 *
 * @param {string | null} accept
 * @param {string[]} types
 */
export function preferred(accept, types) {
  if (!accept?.trim()) return types[0]
  const ranges = accept.split(',').map((range) => {
    const [name, ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
    const q = Number(parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? 1)
    return { name, q: q >= 0 && q <= 1 ? q : 0 }
  })
  let best = null
  for (const type of types) {
    // The range that fits most exactly decides, also where it says q=0.
    const fits = ranges.filter(({ name }) => fit(name, type) > 0).sort((a, b) => fit(b.name, type) - fit(a.name, type))
    const q = fits[0]?.q ?? 0
    if (q > (best?.q ?? 0)) best = { type, q }
  }
  return best?.type ?? null
}
