import type { ComponentChildren } from 'preact'
import { useId, useState } from 'preact/hooks'
import { Icon } from '../parts/icon.tsx'
import type { Facts } from '../state/facts.ts'
import type { Problem } from '../state/item.ts'
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
  /** Shown if the password is wrong. */
  wrong?: string
  work: Work
  /** Sends the values of the fields by name. @throws AthanorError, which the form shows. */
  send: (values: Record<string, string>) => Promise<void>
  children: ComponentChildren
}

/** A form with a title, one button, and the service's message if it refuses. */
export function Form({ title, submit, wrong, work, send, children }: Props) {
  const [problem, setProblem] = useState<Problem>()
  const [busy, setBusy] = useState(false)
  const onSubmit = async (event: Event & { currentTarget: HTMLFormElement }) => {
    event.preventDefault()
    if (busy) return
    const form = event.currentTarget
    const values = Object.fromEntries(new FormData(form)) as Record<string, string>
    setBusy(true)
    setProblem(undefined)
    try {
      await send(values)
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
      <div role="alert">
        {problem && (
          <div class="problem">
            <Icon name="warning" />
            <p dir="auto">{wrong && problem.code === 'UNAUTHORIZED' ? wrong : capital(problem.message)}</p>
          </div>
        )}
      </div>
      <button type="submit" class="primary large" aria-busy={busy}>
        {submit}
      </button>
    </form>
  )
}

const capital = (text: string) => `${text[0]?.toUpperCase()}${text.slice(1).replace(/([^.])$/, '$1.')}`

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
        {...field}
        aria-describedby={hint && `${id}-hint`}
      />
      {hint && <small id={`${id}-hint`}>{hint}</small>}
    </div>
  )
}
