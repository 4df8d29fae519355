import { useEffect, useMemo, useState } from 'preact/hooks'
import { ActionBar, Notice } from './parts/action-bar.tsx'
import { ConnectionBanner } from './parts/connection-banner.tsx'
import { DropOverlay } from './parts/drop-overlay.tsx'
import { DropZone } from './parts/drop-zone.tsx'
import { FileRow } from './parts/file-row.tsx'
import { Footer } from './parts/footer.tsx'
import { FormatTag } from './parts/format-tag.tsx'
import { Header } from './parts/header.tsx'
import { lazy } from './parts/lazy.tsx'
import { Summary } from './parts/summary.tsx'
import { WaysIn } from './parts/ways-in.tsx'
import type { Facts } from './state/facts.ts'
import { mustSignIn } from './state/reducer.ts'
import { saveSettings } from './state/settings.ts'
import { type Store, useStore } from './state/store.ts'
import { loadTexts, type Texts, TextsProvider } from './texts/texts.ts'
import type { Arrival } from './work/accounts.ts'
import { filesOfPaste, urlOfPaste } from './work/files.ts'
import type { Work } from './work/work.ts'

interface Props {
  store: Store
  work: Work
  facts: Facts
  /** Texts of the language in which the page opens. */
  texts: Texts
  arrival: Arrival
}

const History = lazy(async () => (await import('./parts/history.tsx')).History)
const SharedQuestion = lazy(async () => (await import('./parts/shared-question.tsx')).SharedQuestion)
const Account = lazy(async () => (await import('./account/account.tsx')).Account)

/** The whole page. */
export function App({ store, work, facts, texts: first, arrival }: Props) {
  const state = useStore(store)
  const [texts, setTexts] = useState(first)
  const shown = useMemo(() => new Set(state.items.map(({ conversion }) => conversion?.id)), [state.items])
  const accountOpen = state.accountOpen || mustSignIn(facts, state)
  const earlier = state.history.filter(({ id }) => !shown.has(id))

  useEffect(() => {
    document.documentElement.lang = texts.language
    document.dir = texts.direction
  }, [texts])

  useEffect(() => {
    const paste = (event: ClipboardEvent) => {
      if (accountOpen || (event.target as Element).matches('input, select, textarea') || !event.clipboardData) return
      const files = filesOfPaste(event.clipboardData)
      const url = urlOfPaste(event.clipboardData)
      if (files.length) work.add(files)
      else if (url) work.addUrl(url)
    }
    document.addEventListener('paste', paste)
    return () => document.removeEventListener('paste', paste)
  }, [work, accountOpen])

  const change = (settings: Partial<typeof state.settings>) => {
    store.dispatch({ type: 'settings', change: settings })
    saveSettings(store.get().settings)
    if (settings.language) void loadTexts(settings.language).then(setTexts)
  }

  const { items } = state
  const isEmptied = state.notice?.text === 'history.emptied' && !items.length
  return (
    <TextsProvider value={texts}>
      <Header state={state} work={work} facts={facts} settings={state.settings} onChange={change} />
      <ConnectionBanner
        online={state.online}
        pausedUntil={state.pausedUntil}
        missed={state.notice?.text === 'share.missed'}
      />
      {accountOpen && (
        <main>
          <Account state={state} work={work} facts={facts} arrival={arrival} />
        </main>
      )}
      <main hidden={accountOpen}>
        {facts.notice && (
          <p class="operator-notice" dir="auto">
            {facts.notice}
          </p>
        )}
        {state.shared && <SharedQuestion files={state.shared} store={store} work={work} />}
        {!items.length && <h1 class="tagline">{texts.t('tagline')}</h1>}
        <DropZone small={items.length > 0} facts={facts} state={state} onFiles={work.add} />
        {!items.length && <WaysIn formats={state.formats} onFiles={work.add} />}
        {items.length > 0 && (
          <section class="files" aria-labelledby="files-title">
            <h1 id="files-title" class="visually-hidden">
              {texts.t('list.title')}
            </h1>
            <ul class="rows">
              {items.map((item) => (
                <FileRow key={item.key} item={item} state={state} work={work} facts={facts} />
              ))}
            </ul>
            <ActionBar state={state} work={work} facts={facts} />
          </section>
        )}
        {!items.length && <Notice notice={state.notice?.undo && state.notice} work={work} />}
        {(earlier.length > 0 || isEmptied) && (
          <History
            conversions={earlier}
            formats={state.formats}
            work={work}
            retention={facts.retention}
            tag={FormatTag}
          />
        )}
      </main>
      <Footer facts={facts} drawn={state.drawn} />
      <Summary items={items} name={facts.name} />
      {!accountOpen && <DropOverlay onFiles={work.add} />}
    </TextsProvider>
  )
}
