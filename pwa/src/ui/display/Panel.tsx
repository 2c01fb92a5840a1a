import type { ComponentProps } from 'react';
import css from './Panel.module.css';

/** A white surface: edge to edge on a phone (inside `.page`), bordered from 60rem. `stack` adds space between its children. */
export function Panel({ stack, className, ...rest }: ComponentProps<'section'> & { stack?: boolean }) {
  return <section {...rest} className={[css.sheet, stack && 'stack', className].filter(Boolean).join(' ')} />;
}
