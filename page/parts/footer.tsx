import type { Facts } from '../state/facts.ts'
import { useTexts } from '../texts/texts.ts'

export function Footer({ facts, drawn }: { facts: Facts; drawn: boolean }) {
  const { t, span, language } = useTexts()
  return (
    <footer class="footer">
      <p>
        {t('footer.private')} {drawn && t('footer.kept', { span: span(facts.retention) })}
      </p>
      <p class="links">
        <a href={`help/${language}`}>{t('footer.help')}</a>
        <a href="docs">{t('footer.docs')}</a>
        {facts.imprint && <a href={facts.imprint}>{t('footer.imprint')}</a>}
      </p>
    </footer>
  )
}
