import type { Award } from './award.ts';

/** The unit whose awards are compared: the whole organisation chain, else the department at a PIN code. */
export interface Office {
  /** Unique within a portal: the chain joined by '||', or 'DEPARTMENT||pin:PIN'. */
  key: string;
  department: string;
  /** Set when the office is known by its department and PIN code only. It is then never called a division. */
  pincode: string | null;
}

/** The office of an award or a tender; null when the source names no organisation. */
export function officeOf({ organisationChain, pincode }: Pick<Award, 'organisationChain' | 'pincode'>): Office | null {
  const [department, ...offices] = organisationChain;
  if (department === undefined) return null;
  if (offices.length > 0) return { key: organisationChain.join('||'), department, pincode: null };
  return { key: `${department}||pin:${pincode ?? ''}`, department, pincode };
}
