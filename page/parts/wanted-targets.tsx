import { useTexts } from '../texts/texts.ts'
import { Button } from './button.tsx'
import { targetName } from './target-name.ts'

interface Props {
  label: string
  /** Formats, or `SAME`. */
  targets: readonly string[]
  onChoose: (target: string) => void
}

/** Buttons of what people want most from a kind of file, where no target is chosen without a question. */
export function WantedTargets({ label, targets, onChoose }: Props) {
  const texts = useTexts()
  return (
    // biome-ignore lint/a11y/useSemanticElements: a row of buttons, not of fields
    <div class="wanted" role="group" aria-label={label}>
      {targets.map((to) => (
        <Button key={to} class="preset" onClick={() => onChoose(to)}>
          {targetName(texts, to)}
        </Button>
      ))}
    </div>
  )
}
