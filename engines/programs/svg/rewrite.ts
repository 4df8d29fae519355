import type { XastChild, XastParent } from 'svgo'

/**
 * Replaces each node of a drawing by what `change` makes of it, parents first; undefined removes it. SVGO's own visitor
 * looks for each element among its siblings: its time grows with the square of their number.
 */
export function rewrite(
  parent: XastParent,
  change: (node: XastChild, parent: XastParent) => XastChild | undefined,
): void {
  parent.children = parent.children.flatMap((child) => change(child, parent) ?? [])
  for (const child of parent.children) if (child.type === 'element') rewrite(child, change)
}

/** A node, with the text of a style sheet changed. */
export function styled<Node extends XastChild>(node: Node, parent: XastParent, change: (css: string) => string): Node {
  const isSheet =
    parent.type === 'element' && parent.name === 'style' && (node.type === 'text' || node.type === 'cdata')
  if (isSheet) node.value = change(node.value)
  return node
}
