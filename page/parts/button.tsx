import type { ButtonHTMLAttributes, ComponentChildren } from 'preact'
import { Icon, type IconName } from './icon.tsx'

interface Props extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** Shown before the text. */
  icon?: IconName
  children: ComponentChildren
}

/** A button with a text. It is quiet unless it has another class. */
export const Button = ({ icon, children, ...rest }: Props) => (
  <button type="button" class="quiet" {...rest}>
    {icon && <Icon name={icon} />}
    {icon ? <span>{children}</span> : children}
  </button>
)

interface IconButtonProps extends Omit<Props, 'children'> {
  icon: IconName
  /** Its accessible name, and its tooltip if no shorter `title` is given. */
  label: string
}

/** A button that shows only an icon. */
export const IconButton = ({ icon, label, ...rest }: IconButtonProps) => (
  <Button class="quiet square" title={label} aria-label={label} {...rest}>
    <Icon name={icon} />
  </Button>
)
