import type { ComponentChildren } from 'preact'
import { useId, useState } from 'preact/hooks'
import { Icon } from '../parts/icon.tsx'
import type { Facts } from '../state/facts.ts'
import type { Problem } from '../state/item.ts'
import { useTexts } from '../texts/texts.ts'
import type { Work } from '../work/work.ts'
import type { AccountTexts } from './account-texts.ts'

/** Which form guests see. */
export type FormName = 'signIn' | 'register' | 'request' | 'newPassword'

/** What sign-in and registration answer. */
export interface Token {
  token: string
}

/** What every form of the account gets. */
export interface FormProps {
  texts: AccountTexts
  work: Work
  facts: Facts
  /** Shows another form, with a sentence about what was done. */
  show: (form: FormName, notice?: string) => void
}

interface Props {
  title?: string
  submit: string
  texts: AccountTexts
  /** What refusals mean here, by code. */
  said?: Readonly<Record<string, string>>
  /** Shown once it is sent. */
  done?: string
  /** Whether it deletes something. */
  danger?: boolean
  work: Work
  /** Sends the values of the fields by name. @throws AthanorError, which the form shows. */
  send: (values: Record<string, string>) => Promise<void>
  children: ComponentChildren
}

/** A form with a title, one button, and a sentence if the service refuses. */
export function Form({ title, submit, texts, said, done, danger, work, send, children }: Props) {
  const [problem, setProblem] = useState<Problem>()
  const [sent, setSent] = useState(false)
  const [busy, setBusy] = useState(false)
  const onSubmit = async (event: Event & { currentTarget: HTMLFormElement }) => {
    event.preventDefault()
    if (busy) return
    const form = event.currentTarget
    const values = Object.fromEntries(new FormData(form)) as Record<string, string>
    setBusy(true)
    setSent(false)
    setProblem(undefined)
    try {
      await send(values)
      setSent(true)
      form.reset()
    } catch (error) {
      setProblem(work.problemOf(error))
    }
    setBusy(false)
  }
  return (
    <form onSubmit={(event) => void onSubmit(event)}>
      {title && <h1>{title}</h1>}
      {children}
      <Trouble problem={problem} work={work} said={{ BAD_REQUEST: texts.t('form.check'), ...said }} />
      {done && <div role="status">{sent && <p>{done}</p>}</div>}
      <button type="submit" class={`primary large${danger ? ' danger' : ''}`} aria-busy={busy}>
        {submit}
      </button>
    </form>
  )
}

/** What went wrong, in the words of the page. @param said Sentences by code, before those that fit everywhere. */
export function Trouble({ problem, work, said }: Pick<Props, 'work' | 'said'> & { problem: Problem | undefined }) {
  const { t, has } = useTexts()
  return (
    <div role="alert">
      {problem && (
        <div class="problem">
          <Icon name="warning" />
          <p>{said?.[problem.code] ?? t(work.problemKey(problem, has))}</p>
        </div>
      )}
    </div>
  )
}

interface FieldProps {
  name: string
  label: string
  type?: 'email' | 'password' | 'text' | 'url'
  /** Lets the browser and password managers fill it. */
  autocomplete: string
  hint?: string
  required?: boolean
  minLength?: number
  maxLength?: number
}

export function Field({ label, hint, type = 'text', required = true, ...field }: FieldProps) {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        type={type as 'text'}
        required={required}
        dir={type === 'text' ? 'auto' : 'ltr'}
        // The service wants more than browsers do.
        {...(type === 'email' && { pattern: '.+@.+\\..+' })}
        {...field}
        aria-describedby={hint && `${id}-hint`}
      />
      {hint && <small id={`${id}-hint`}>{hint}</small>}
    </div>
  )
}
