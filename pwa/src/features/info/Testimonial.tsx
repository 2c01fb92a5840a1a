import { TESTIMONIAL } from '@nivida/contract/claims';
import css from './Testimonial.module.css';

/** A customer's words; nothing until the operator has written some (RESOLUTIONS R60). */
export function Testimonial() {
  const { text, label, shown } = TESTIMONIAL;
  if (!shown || text === '') return null;
  return (
    <blockquote className={css.quote}>
      <p>“{text}”</p>
      <footer className="xs muted">{label}</footer>
    </blockquote>
  );
}
