import { departmentGloss } from '@nivida/contract/regions/department-gloss';
import { langOf } from '../../ui/words/lang-of.ts';
import css from '../../ui/words/Term.module.css';

/** A department as the portal names it, and its name in the present language below it. */
export function DepartmentName({ name }: { name: string }) {
  const gloss = departmentGloss(name);
  return (
    <>
      <span lang={langOf(name)}>{name}</span>
      {gloss && <small className={css.below}> {gloss}</small>}
    </>
  );
}
