import { SAME } from '../state/wanted.ts'
import { useTexts } from '../texts/texts.ts'
import { Button } from './button.tsx'

interface Props {
  label: string
  /** Formats, or `SAME`. */
  targets: readonly string[]
  onChoose: (target: string) => void
}

/** Buttons of what people want most from a kind of file, where no target is chosen without a question. */
export function WantedTargets({ label, targets, onChoose }: Props) {
  const { t, has } = useTexts()
  const nameOf = (to: string) => {
    const key = `wanted.${to}`
    return to === SAME ? t('wanted.same') : has(key) ? t(key) : to.toUpperCase()
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a row of buttons, not of fields
    <div class="wanted" role="group" aria-label={label}>
      {targets.map((to) => (
        <Button key={to} class="preset" onClick={() => onChoose(to)}>
          {nameOf(to)}
        </Button>
      ))}
    </div>
  )
}
