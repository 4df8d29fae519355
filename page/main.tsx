import './style/page.css'
import { render } from 'preact'
import { App } from './app.tsx'
import { readFacts } from './state/facts.ts'
import { loadSettings } from './state/settings.ts'
import { createStore } from './state/store.ts'
import { chooseLanguage, loadTexts } from './texts/texts.ts'
import { readArrival } from './work/accounts.ts'
import { createWork } from './work/work.ts'

// Before any request: it may have a session.
const arrival = readArrival()
const settings = loadSettings()
const facts = readFacts()
const store = createStore(settings)
const work = createWork(store, facts)

const signedIn = work.loadAccount().catch(() => {})
if (Object.keys(arrival).length) work.openAccount(true)
const texts = await loadTexts(chooseLanguage(settings.language, navigator.languages))
render(
  <App store={store} work={work} facts={facts} texts={texts} arrival={arrival} />,
  document.getElementById('page')!,
)

// First the page is drawn, so that it reacts early. A page in a hidden tab is not drawn.
await new Promise<void>((drawn) => {
  requestAnimationFrame(() => setTimeout(drawn))
  setTimeout(drawn, document.hidden ? 0 : 5000)
})
store.dispatch({ type: 'drawn' })

void import('./parts/focus-keeper.ts').then(({ keepFocus }) => keepFocus()).catch(() => {})
// Browsers offer none of it elsewhere.
if (isSecureContext) void import('./install/install.ts').then(({ offer }) => offer(store, work)).catch(() => {})

// Both are retried until they succeed. The page works without the second.
void work.loadFormats()
void signedIn.then(() => work.loadHistory()).catch(() => {})
void signedIn.then(() => work.loadUsage())
void signedIn.then(() => work.restore())
