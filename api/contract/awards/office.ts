/** The office of a tender: the unit whose awards are compared. */
import { inPresentLanguage } from '../i18n.ts';

export interface Office {
  /** Unique within a state: the organisation chain joined by '||', or 'DEPARTMENT||pin:PIN'. */
  key: string;
  department: string;
  /** Set when the office is known by its department and PIN code only. It is then never called a division. */
  pincode: string | null;
}

/** The fields that identify the office of an award or a tender. */
export interface OfficeSource {
  organisationChain: readonly string[];
  pincode: string | null;
}

/** The office of an award or a tender; null when the source names no organisation. */
export function officeOf({ organisationChain, pincode }: OfficeSource): Office | null {
  const [department, ...offices] = organisationChain;
  if (department === undefined) return null;
  if (offices.length > 0) return { key: organisationChain.join('||'), department, pincode: null };
  return { key: `${department}||pin:${pincode ?? ''}`, department, pincode };
}

/** The key of a whole department's statistics, which are used for its offices without awards. */
export const departmentKey = (department: string): string => `${department}||`;

/** How an office is identified: by its organisation chain, by a PIN code, or as a whole department. */
export function officeKind(key: string): 'chain' | 'pin' | 'department' {
  if (key.endsWith('||')) return 'department';
  return key.includes('||pin:') ? 'pin' : 'chain';
}

/** The name when the department is not shown next to it: 'Shimla Division', 'PWD, PIN 171001'. */
export const officeLabel = ({ kind, name, department }: { kind: string; name: string; department: string }): string =>
  kind === 'pin' ? `${department}, ${shownOfficeName({ kind, name })}` : name;

/** The name for the screens, in the present language. */
export const shownOfficeName = ({ kind, name }: { kind: string; name: string }): string =>
  kind === 'pin' ? inPresentLanguage(name) : name;

/** The name in answers and packs: the last organisation of the chain, or 'PIN 781003'. */
export function officeName(key: string): string {
  if (key.endsWith('||')) return key.slice(0, -2);
  const last = key.slice(key.lastIndexOf('||') + 2);
  if (!last.startsWith('pin:')) return last;
  return last === 'pin:' ? /*i18n*/ 'PIN not published' : `PIN ${last.slice(4)}`;
}
