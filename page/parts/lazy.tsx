import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { useTexts } from '../texts/texts.ts'

/** Returns a component whose code is loaded when it is first shown. */
export function lazy<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  let known: ComponentType<Props> | undefined
  return function Lazy(props: Props) {
    const { t } = useTexts()
    const [Loaded, setLoaded] = useState(() => known)
    const [failed, setFailed] = useState(false)
    useEffect(() => {
      if (Loaded) return
      load().then(
        (component) => {
          known = component
          setLoaded(() => component)
        },
        // The service was replaced by another version, or cannot be reached.
        () => setFailed(true),
      )
    }, [Loaded])
    if (failed) return <p class="hint">{t('lazy.failed')}</p>
    return Loaded ? <Loaded {...props} /> : null
  }
}
