import css from './Skeleton.module.css';

/**
 * Grey bars, shown while data loads, so that the layout does not shift. They are as long as a text, or as a text of
 * so many characters.
 */
export function Skeleton({ children }: { children: string | number }) {
  return (
    <span className={css.skeleton} aria-hidden="true">
      {typeof children === 'number' ? 'xxxx '.repeat(children / 5) : children}
    </span>
  );
}

/** The first of the `rows` of a list, shown while the list loads. `label` is for screen readers. */
export function RowsSkeleton({
  label,
  title,
  facts,
}: {
  label: string;
  title: string | number;
  facts: string | number;
}) {
  return (
    <ul className="rows" aria-busy="true">
      <li>
        <span className="sr">{label}</span>
        <p>
          <Skeleton>{title}</Skeleton>
        </p>
        <p className="xs">
          <Skeleton>{facts}</Skeleton>
        </p>
      </li>
    </ul>
  );
}
