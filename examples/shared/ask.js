// The handler, asked from the same program.

/**
 * @param {(request: Request) => Promise<Response>} handle
 * @param {string} text
 * @param {string} type what the answer should be
 * @returns {Promise<string>} the annotation, or what went wrong
 */
export async function ask(handle, text, type) {
  const request = new Request('/annotate', { method: 'POST', headers: { 'content-type': 'text/plain', accept: type }, body: text })
  const response = await handle(request)
  return response.ok ? response.text() : (await response.json()).detail
}
