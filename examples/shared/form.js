// The form of the pages.

/** @param {(text: string, type: string) => Promise<string>} annotate called when a button is pressed */
export function connectForm(annotate) {
  const output = document.querySelector('pre')
  document.querySelector('form').addEventListener('submit', async (event) => {
    event.preventDefault()
    const { text, as } = Object.fromEntries(new FormData(event.target, event.submitter))
    output.textContent = 'Working ...'
    output.textContent = await annotate(text, as)
  })
}
