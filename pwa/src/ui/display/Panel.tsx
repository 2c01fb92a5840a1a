import type { ComponentProps } from 'react';
import css from './Panel.module.css';

/**
 * A white surface. On a phone it goes from edge to edge (inside `.page`); from 60rem it has a border. `stack`
 * adds space between its children.
 */
export function Panel({ stack, className, ...rest }: ComponentProps<'section'> & { stack?: boolean }) {
  return <section {...rest} className={[css.sheet, stack && 'stack', className].filter(Boolean).join(' ')} />;
}
