// Opens every page of a built site in Chromium, and checks the result.
//
//     node .ci/site.mjs SITE                     checks all pages
//     node .ci/site.mjs SITE --only weircontrols checks the pages whose paths contain this
//     node .ci/site.mjs SITE --pictures DIR      only saves screenshots of eight pages, at two widths, light and dark
//
// The script uses the DevTools protocol over a pipe, so it needs no packages.

import { spawn } from 'node:child_process'
import { createServer } from 'node:http'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { extname, join, resolve } from 'node:path'

const types = {
  '.css': 'text/css', '.html': 'text/html; charset=utf-8', '.ico': 'image/x-icon', '.jpg': 'image/jpeg',
  '.js': 'text/javascript', '.json': 'application/json', '.png': 'image/png', '.svg': 'image/svg+xml',
}

/// The sizes of the windows of a computer and of a phone.
const sizes = [[1280, 1200], [390, 1200]]

/// Serves a folder as simple static hosts do: a folder's address ends with a slash, and its content is its index.html.
async function serve(folder) {
  const base = readFileSync(join(folder, 'documentation/index.html'), 'utf8').match(/baseUrl = "([^"]*)"/)?.[1] ?? '/'
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url, 'http://localhost').pathname)
    const file = join(folder, path.startsWith(base) ? path.slice(base.length) : '..')
    const found = path.startsWith(base) && existsSync(file)
    if (found && statSync(file).isDirectory() && !path.endsWith('/')) {
      response.writeHead(301, { location: encodeURI(path) + '/' }).end()
      return
    }
    const content = found && statSync(file).isDirectory() ? join(file, 'index.html') : file
    if (!found || !existsSync(content)) {
      response.writeHead(404).end()
      return
    }
    response.writeHead(200, { 'content-type': types[extname(content)] ?? 'application/octet-stream' })
    response.end(readFileSync(content))
  })
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening))
  return { origin: `http://127.0.0.1:${server.address().port}`, base, close: () => server.close() }
}

/// A Chromium without a window, with one session for each tab.
function launch() {
  const profile = mkdtempSync(join(tmpdir(), 'site-'))
  const child = spawn('chromium', [
    '--headless', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--hide-scrollbars', '--no-first-run',
    '--disable-background-networking', '--disable-component-update', '--disable-background-timer-throttling',
    '--disable-renderer-backgrounding', '--disable-backgrounding-occluded-windows', '--remote-debugging-pipe',
    `--user-data-dir=${profile}`,
  ], { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] })
  const [, , , input, output] = child.stdio
  const answers = new Map()
  const listeners = new Map()
  let [number, rest] = [0, '']
  output.setEncoding('utf8')
  output.on('data', (text) => {
    const messages = (rest + text).split('\0')
    rest = messages.pop()
    for (const message of messages.map((message) => JSON.parse(message))) {
      if (message.id === undefined) {
        listeners.get(message.sessionId)?.(message.method, message.params)
        continue
      }
      const [answer, fail] = answers.get(message.id)
      answers.delete(message.id)
      message.error ? fail(new Error(message.error.message)) : answer(message.result)
    }
  })
  const ended = new Promise((ended) => child.on('exit', ended))
  const send = (method, params = {}, sessionId = undefined) => new Promise((answer, fail) => {
    answers.set(++number, [answer, fail])
    input.write(JSON.stringify({ id: number, method, params, sessionId }) + '\0')
  })
  ended.then(() => { for (const [, fail] of answers.values()) fail(new Error('Chromium has terminated')) })
  const tab = async () => {
    const { targetId } = await send('Target.createTarget', { url: 'about:blank' })
    const { sessionId } = await send('Target.attachToTarget', { targetId, flatten: true })
    return {
      send: (method, params) => send(method, params, sessionId),
      listen: (listener) => listeners.set(sessionId, listener),
    }
  }
  const close = async () => {
    send('Browser.close').catch(() => {})
    await ended
    rmSync(profile, { recursive: true, force: true })
  }
  return { tab, close }
}

/// Runs in the page: waits until the page and its pictures are drawn, then returns what it contains.
async function inspect() {
  const wait = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds))
  const isDrawn = () =>
    document.querySelector('h1, .generic-error') && [...document.images].every((image) => image.complete) &&
    !document.querySelector('.loading-placeholder, #loading-placeholder')
  // A picture below the window is not loaded until the reader scrolls to it.
  const load = () => document.querySelectorAll('img[loading=lazy]').forEach((image) => { image.loading = 'eager' })
  for (let waited = 0; (load(), !isDrawn()) && waited < 20000; waited += 10) await wait(10)
  const main = document.querySelector('main') ?? document.body
  // The page shrinks a picture without its own size when it has measured the picture, possibly after this check.
  const unsized = []
  for (const address of new Set([...main.querySelectorAll('img')].map((image) => image.currentSrc || image.src))) {
    if (!address.endsWith('.svg')) continue
    const response = await fetch(address)
    const root = new DOMParser().parseFromString(await response.text(), 'image/svg+xml').documentElement
    if (!root.hasAttribute('width') || !root.hasAttribute('height')) unsized.push(address)
  }
  return {
    title: document.querySelector('h1')?.innerText ?? '',
    isMissing: Boolean(document.querySelector('.generic-error')),
    ids: [...document.querySelectorAll('[id]')].map((element) => element.id),
    links: [...new Set([...document.querySelectorAll('a[href]')].map((link) => link.href))],
    images: [...main.querySelectorAll('img')].map((image) => ({
      address: image.currentSrc || image.src, alt: image.alt, width: image.clientWidth, height: image.clientHeight,
      isDrawn: image.complete && image.naturalWidth > 0, isIcon: Boolean(image.closest('.svg-icon, .topic-icon')),
    })),
    unsized,
    variants: [...document.querySelectorAll('source[srcset], img[srcset]')]
      .flatMap((element) => element.srcset.split(', ').map((entry) => entry.trim().split(' ')[0])),
  }
}

/// Opens pages in one tab, in sequence, and records the warnings and errors of the browser.
class Visitor {
  complaints = []
  pending = new Set()

  static async make(browser, origin) {
    const visitor = new Visitor()
    visitor.origin = origin
    visitor.tab = await browser.tab()
    visitor.tab.listen((method, params) => visitor.heard(method, params))
    for (const domain of ['Page', 'Runtime', 'Log', 'Network']) await visitor.tab.send(`${domain}.enable`)
    await visitor.size(...sizes[0])
    return visitor
  }

  size(width, height) {
    return this.tab.send(
      'Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: width < 600 })
  }

  scheme(value) {
    return this.tab.send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value }] })
  }

  heard(method, params) {
    switch (method) {
      case 'Runtime.exceptionThrown':
        this.complaints.push(`exception: ${params.exceptionDetails.exception?.description ?? params.exceptionDetails.text}`)
        break
      case 'Runtime.consoleAPICalled':
        if (['error', 'warning', 'assert'].includes(params.type)) {
          this.complaints.push(`console: ${params.args.map((argument) => argument.value ?? argument.description).join(' ')}`)
        }
        break
      case 'Log.entryAdded':
        if (['error', 'warning'].includes(params.entry.level)) {
          this.complaints.push(`console: ${params.entry.text} ${params.entry.url ?? ''}`)
        }
        break
      case 'Network.requestWillBeSent':
        this.pending.add(params.requestId)
        if (!params.request.url.startsWith(this.origin) && !params.request.url.startsWith('data:')) {
          this.complaints.push(`a request to another host: ${params.request.url}`)
        }
        break
      case 'Network.loadingFinished':
      case 'Network.loadingFailed':
        this.pending.delete(params.requestId)
        break
    }
  }

  async open(address) {
    this.complaints = []
    this.pending.clear()
    await this.tab.send('Page.navigate', { url: address })
    let content
    for (let attempt = 0; content === undefined; attempt += 1) {
      const { result, exceptionDetails } = await this.tab.send(
        'Runtime.evaluate', { expression: `(${inspect})()`, awaitPromise: true, returnByValue: true }
      ).catch((error) => {
        // A page that redirects to another page is closed before it answers.
        if (attempt === 5) throw error
        return {}
      })
      if (exceptionDetails) throw new Error(exceptionDetails.text)
      content = result?.value
    }
    for (let waited = 0; this.pending.size > 0 && waited < 5000; waited += 5) {
      await new Promise((done) => setTimeout(done, 5))
    }
    return { ...content, complaints: this.complaints }
  }

  /// The number of pixels by which the page is wider than each window.
  async excess() {
    const excess = {}
    for (const [width, height] of sizes.toReversed()) {
      await this.size(width, height)
      const { result } = await this.tab.send(
        'Runtime.evaluate', { expression: `document.documentElement.scrollWidth - ${width}`, returnByValue: true })
      excess[width] = result.value
    }
    return excess
  }

  async picture(file) {
    const { data } = await this.tab.send('Page.captureScreenshot', { format: 'png' })
    writeFileSync(file, Buffer.from(data, 'base64'))
  }
}

/// The paths of all pages below a folder, with a slash at the end, as in the address of a folder.
function pages(folder, path = '') {
  return readdirSync(join(folder, path), { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      if (entry.isDirectory()) return pages(folder, `${path}${entry.name}/`)
      return entry.name === 'index.html' ? [path] : []
    })
}

const address = ({ origin, base }, path) => origin + base + encodeURI(path)

async function check(folder, host, browser, only) {
  const faults = []
  const paths = pages(folder).filter((path) => path.includes(only))
  const [contents, external, internal] = [new Map(), new Map(), new Map()]
  let images = 0
  const queue = [...paths]
  const visit = async () => {
    const visitor = await Visitor.make(browser, host.origin)
    for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
      const content = await visitor.open(address(host, path))
      contents.set(path.replace(/\/$/, ''), content)
      const fault = (text) => faults.push(`/${path}: ${text}`)
      content.complaints.forEach(fault)
      if (content.isMissing || content.title === '') fault('the page has no content')
      for (const [window, excess] of Object.entries(await visitor.excess())) {
        if (excess > 0) fault(`the page is ${excess} pixels wider than a window of ${window}`)
      }
      for (const address of content.unsized) fault(`a picture without a width and a height: ${address}`)
      for (const image of content.images) {
        images += 1
        if (!image.isDrawn) fault(`missing image ${image.address}`)
        else if (!image.isIcon && image.width < 180) fault(`an image of only ${image.width} × ${image.height}: ${image.address}`)
        if (!image.isIcon && image.alt === '') fault(`an image without a text: ${image.address}`)
      }
      for (const link of [...content.links, ...content.variants.map((variant) => new URL(variant, host.origin).href)]) {
        const links = link.startsWith(host.origin) ? internal : external
        links.set(link, [...(links.get(link) ?? []), path])
      }
    }
  }
  await Promise.all([visit(), visit()])

  for (const [link, origins] of internal) {
    const url = new URL(link)
    const broken = (text) => faults.push(`/${origins[0]}: ${text} ${decodeURIComponent(link.slice(host.origin.length))}`)
    const path = decodeURIComponent(url.pathname)
    const relative = path.slice(host.base.length).replace(/\/$/, '')
    const file = join(folder, relative)
    const exists = path.startsWith(host.base) && existsSync(file) &&
      (!statSync(file).isDirectory() || existsSync(join(file, 'index.html')))
    if (!exists) {
      broken('a broken link to')
    } else if (url.hash !== '' && contents.has(relative)) {
      const id = decodeURIComponent(url.hash.slice(1))
      if (!contents.get(relative).ids.includes(id)) broken('no such place:')
    }
  }
  const hosts = [...new Set([...external.keys()].map((link) => new URL(link).host))].sort()
  console.log(`${paths.length} pages opened, ${internal.size} addresses that they link to, ${images} images on them`)
  console.log(`${external.size} addresses at other hosts, which are not opened: ${hosts.join(', ')}`)
  for (const fault of faults.sort().slice(0, 200)) console.log(fault)
  if (faults.length > 0) console.log(`${faults.length} faults`)
  return faults.length === 0 && paths.length > 0
}

const pictured = [
  '', 'documentation/weir/', 'documentation/weir/gettingstarted/', 'documentation/weir/performance/',
  'documentation/weir/publisher/filter(_:)/', 'documentation/weir/publisher/', 'tutorials/', 'tutorials/weircontrols/signupform/',
]

async function draw(host, browser, folder, only) {
  mkdirSync(folder, { recursive: true })
  const visitor = await Visitor.make(browser, host.origin)
  for (const [index, path] of pictured.entries()) {
    if (!path.includes(only)) continue
    for (const [width, height] of sizes) {
      for (const scheme of ['light', 'dark']) {
        await visitor.size(width, height)
        await visitor.scheme(scheme)
        await visitor.open(address(host, path))
        await new Promise((done) => setTimeout(done, 700))
        await visitor.picture(join(folder, `${index + 1}-${width}-${scheme}.png`))
      }
    }
  }
  return true
}

const [site, ...options] = process.argv.slice(2)
const value = (name) => options.includes(name) ? options[options.indexOf(name) + 1] : undefined
if (site === undefined || !existsSync(join(site, 'documentation/index.html'))) {
  console.error('usage: node .ci/site.mjs SITE [--only PART] [--pictures DIR]')
  process.exit(2)
}
const folder = resolve(site)
const host = await serve(folder)
const browser = launch()
const only = value('--only') ?? ''
const drawn = value('--pictures')
const isGood = await (drawn ? draw(host, browser, drawn, only) : check(folder, host, browser, only))
await browser.close()
host.close()
process.exit(isGood ? 0 : 1)
