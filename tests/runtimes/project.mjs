// A project that has the packed package installed, and what runs in it.

import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { copyFileSync, cpSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { loadPipeline } from '../../js/node.js'
import { englishPipeline } from '../js/helpers/english-pipeline.mjs'
import { root, temporaryFolder } from '../js/helpers/runtime.mjs'
import { TEXT } from './check.mjs'

export const tool = (name) => join(root, 'node_modules', name)

/** Programs that do not go by the name of the package they come from. */
export const programs = {
  node24: join(root, `tests/runtimes/node24/node_modules/node-linux-${process.arch}/bin/node`),
  deno: tool('.bin/deno'),
  bun: tool('bun/bin/bun.exe'),
  wrangler: tool('wrangler/bin/wrangler.js'),
  chromium: process.env.ONENLP_CHROMIUM ?? '/usr/bin/chromium',
}

// No runtime has any business outside; should one try, it is told so at once.
const offline = {
  HTTP_PROXY: 'http://127.0.0.1:9', HTTPS_PROXY: 'http://127.0.0.1:9', NO_PROXY: '127.0.0.1,localhost', CI: '1',
  DENO_NO_UPDATE_CHECK: '1', WRANGLER_SEND_METRICS: 'false', NO_COLOR: '1', FORCE_COLOR: '0',
}

/** Packs a folder of the repository; returns the archive's path. */
export function pack(folder, target) {
  mkdirSync(target, { recursive: true })
  const { status, stdout, stderr } = spawnSync('npm', ['pack', '--json', '--pack-destination', target], { cwd: join(root, folder), encoding: 'utf8' })
  assert.equal(status, 0, stderr)
  return join(target, JSON.parse(stdout)[0].filename)
}

/** Makes the project. Call it before the tests of a file. */
export function project() {
  const folder = temporaryFolder()
  const env = { ...process.env, ...offline, DENO_DIR: folder.path('.deno'), XDG_CONFIG_HOME: folder.path('.config') }
  const children = new Set()

  function install(name, source) {
    const target = folder.path(`node_modules/${name}`)
    mkdirSync(target, { recursive: true })
    const { status, stderr } = spawnSync('tar', ['-xzf', pack(source, folder.path('.pack')), '-C', target, '--strip-components=1'], { encoding: 'utf8' })
    assert.equal(status, 0, stderr)
  }

  /** Runs a command in the project (or in a folder of it); returns what it prints. */
  function run(command, args, { cwd = '.', input, env: more } = {}) {
    const { status, stdout, stderr, error } = spawnSync(command, args, {
      cwd: folder.path(cwd), encoding: 'utf8', env: { ...env, ...more }, input, timeout: 240_000, maxBuffer: 1 << 28,
    })
    assert.equal(status, 0, `${error ?? ''}${stdout}${stderr}`)
    return stdout
  }

  /** Starts a server in the project; resolves with the URL that it prints. */
  function start(command, args, { cwd = '.', env: more, url = /https?:\/\/[\w.]+:\d+/ } = {}) {
    // A group of its own: a server may have started others.
    const child = spawn(command, args, { cwd: folder.path(cwd), env: { ...env, ...more }, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
    const ended = new Promise((resolve) => child.on('close', resolve))
    const server = {
      async stop() {
        children.delete(server)
        if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid, 'SIGTERM')
        await ended
      },
    }
    children.add(server)
    return new Promise((resolve, reject) => {
      let said = ''
      const late = setTimeout(() => reject(new Error(`no URL after two minutes: ${said}`)), 120_000)
      const heard = (chunk) => {
        said += chunk
        const [found] = said.match(url) ?? []
        if (found) {
          clearTimeout(late)
          resolve({ ...server, url: found.replace('0.0.0.0', '127.0.0.1'), said: () => said })
        }
      }
      child.stdout.on('data', heard)
      child.stderr.on('data', heard)
      child.on('error', reject)
      child.on('close', (code) => reject(new Error(`ended with ${code}: ${said}`)))
    })
  }

  install('onenlp', '.')
  folder.write('package.json', '{ "private": true, "type": "module" }')
  folder.write('en.onenlp', englishPipeline())
  copyFileSync(new URL('check.mjs', import.meta.url), folder.path('check.mjs'))

  return {
    ...folder, install, run, start,
    copy: (from, to) => cpSync(join(root, from), folder.path(to), { recursive: true }),
    read: (name) => readFileSync(folder.path(name)),
    stopAll: () => Promise.all([...children].map((server) => server.stop())),
    /** What every runtime must give. */
    async expected() {
      const nlp = await loadPipeline(folder.path('en.onenlp'))
      try {
        return nlp.annotate(TEXT).toConllu()
      } finally {
        nlp.close()
      }
    },
  }
}
