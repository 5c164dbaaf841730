// Drawings as files.

import { download, say } from './dom.js'

const SCALE = 2
// Browsers draw no larger pictures.
const LARGEST = 16_000

export const themeNow = () => {
  const set = document.documentElement.dataset.theme
  return set ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')
}

const nameOf = (text) => (text ?? '').toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-+|-+$/g, '').slice(0, 40) || 'sentence'

/**
 * @param {'svg' | 'png'} kind
 * @param {(theme: 'light' | 'dark') => string} render SVG that stands alone
 * @param {string} text what it shows
 */
export async function saveDrawing(kind, render, text) {
  const svg = render(themeNow())
  if (kind === 'svg') return download(svg, `${nameOf(text)}.svg`, 'image/svg+xml')
  try {
    download(await pngOf(svg), `${nameOf(text)}.png`, 'image/png')
  } catch (error) {
    say(`The picture could not be made: ${error.message}`, 'error')
  }
}

async function pngOf(svg) {
  const url = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }))
  try {
    const image = new Image()
    image.src = url
    await image.decode()
    const scale = Math.min(SCALE, LARGEST / image.naturalWidth, LARGEST / image.naturalHeight)
    const canvas = document.createElement('canvas')
    canvas.width = Math.ceil(image.naturalWidth * scale)
    canvas.height = Math.ceil(image.naturalHeight * scale)
    canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height)
    const blob = await new Promise((resolve) => canvas.toBlob(resolve, 'image/png'))
    if (!blob) throw new Error('it is too large')
    return blob
  } finally {
    URL.revokeObjectURL(url)
  }
}
