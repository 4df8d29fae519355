import type { AccountTexts } from './account-texts.ts'
import { Field } from './form.tsx'

/** A new password, with the service's bounds. */
export const PasswordField = ({ label, texts: { t } }: { label: string; texts: AccountTexts }) => (
  <Field
    name="password"
    type="password"
    label={label}
    hint={t('field.passwordHint')}
    autocomplete="new-password"
    minLength={8}
    maxLength={256}
  />
)
