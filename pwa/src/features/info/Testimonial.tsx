import { TESTIMONIAL_CLAIM } from '@nivida/contract/site/claims';
import css from './Testimonial.module.css';

/** A customer's quote; renders nothing until the operator has configured one (R60). */
export function Testimonial() {
  const { text, label, shown } = TESTIMONIAL_CLAIM;
  if (!shown || text === '') return null;
  return (
    <blockquote className={css.quote}>
      <p>“{text}”</p>
      <footer className="xs muted">{label}</footer>
    </blockquote>
  );
}
