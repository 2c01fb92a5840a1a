import { departmentGloss } from '@nivida/contract/regions/department-gloss';
import { langOf } from '../../ui/words/lang-of.ts';

/** A department as the portal names it, and its name in the present language beside it. */
export function DepartmentName({ name }: { name: string }) {
  const gloss = departmentGloss(name);
  return (
    <>
      <span lang={langOf(name)}>{name}</span>
      {gloss && <small className="muted"> {gloss}</small>}
    </>
  );
}
