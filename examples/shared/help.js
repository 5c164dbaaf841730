// What GET / answers.

export const helpText = ({ origin, maxBytes, maxTokens }) => `Annotates text: tokens, sentences, lemmas, parts of speech, dependency trees, entities.

  curl ${origin}/annotate -H 'content-type: text/plain' --data-binary 'Ada met Bob.'
  curl ${origin}/annotate -H 'content-type: text/plain' -H 'accept: application/json' --data-binary @file.txt
  curl ${origin}/annotate --json '{"tokens": [["Ada", "met", "Bob", "."]], "components": ["tagger"]}'

POST /annotate takes
  text/plain         a text in UTF-8
  text/x-conllu      tokens and sentences that are kept
  application/json   {"text": ...}, {"tokens": ...} or {"conllu": ...}, and perhaps {"components": [...]}
  application/jsonl  a document a line: {"text": ...}
and answers, as the header Accept asks, with CoNLL-U (text/plain, text/x-conllu), JSON (application/json), or JSON
Lines (application/jsonl). At most ${maxBytes} bytes and ${maxTokens} tokens. Errors are application/problem+json.

GET /health tells whether the pipeline is there.
`

const escaped = (text) => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)

export const helpPage = (options) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>onenlp</title>
<h1>Annotate a text</h1>
<form method="post" action="/annotate">
<p><label>Text<br><textarea name="text" rows="6" cols="60" required>Ada met Bob in Paris. They talked about engines.</textarea></label>
<p><button name="as" value="text/plain">CoNLL-U</button> <button name="as" value="application/json">JSON</button>
</form>
<h2>From a program</h2>
<pre>${escaped(helpText(options))}</pre>
</html>
`
