/** The typed registration. It is stored for this tab until it succeeds, without the password and the code. */

import type { Region } from '@nivida/contract/regions/regions';
import { MINUTE_MS } from '@nivida/contract/time';
import { tabStorage } from '../../../data/device/browser-storage.ts';

/** The fields that are stored. */
export interface RegistrationDraft {
  step: 1 | 2 | 3;
  name: string;
  email: string;
  /**
   * When a code was sent to `email` (milliseconds since 1970, device's clock); null when no code was sent.
   */
  codeSentAt: number | null;
  /** When `email` was verified (milliseconds since 1970, device's clock); null while it is not verified. */
  verifiedAt: number | null;
  countryCode: string;
  mobileNo: string;
  companyName: string;
  companyType: string;
  state: string;
  districts: readonly string[];
  departments: readonly string[];
  address: string;
}

/** The fields of the company. */
export type FirmDraft = Pick<
  RegistrationDraft,
  'companyName' | 'companyType' | 'state' | 'districts' | 'departments' | 'address'
>;

export const EMPTY_REGISTRATION_DRAFT: RegistrationDraft = {
  step: 1,
  name: '',
  email: '',
  codeSentAt: null,
  verifiedAt: null,
  countryCode: '+91',
  mobileNo: '',
  companyName: '',
  companyType: '',
  state: '',
  districts: [],
  departments: [],
  address: '',
};

const STORAGE_KEY = 'registrationDraft';
/** A verification expires on the server after 30 minutes. */
const VERIFIED_FOR_MS = 29 * MINUTE_MS;
/** A code expires after 10 minutes. */
const CODE_VALID_FOR_MS = 10 * MINUTE_MS;

function isString(value: unknown): value is string {
  return typeof value === 'string';
}

function stringsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter(isString) : [];
}

/** The instant, if it is not older than `durationMs` at `now`; otherwise null. */
function unexpiredInstant(value: unknown, durationMs: number, now: number): number | null {
  return typeof value === 'number' && value <= now && now - value < durationMs ? value : null;
}

/** Reads a stored draft. A field of the wrong type becomes empty. */
function parseDraft(stored: object, now: number): RegistrationDraft {
  const fields: Partial<Record<string, unknown>> = { ...stored };
  const text = (name: keyof RegistrationDraft & string) => (isString(fields[name]) ? fields[name] : '');
  const verifiedAt = unexpiredInstant(fields.verifiedAt, VERIFIED_FOR_MS, now);
  return {
    // Step 2 asks for the password, which is not stored. So the wizard never continues after step 2.
    step: fields.step !== 1 && verifiedAt !== null ? 2 : 1,
    name: text('name'),
    email: text('email'),
    codeSentAt: unexpiredInstant(fields.codeSentAt, CODE_VALID_FOR_MS, now),
    verifiedAt,
    countryCode: text('countryCode') || EMPTY_REGISTRATION_DRAFT.countryCode,
    mobileNo: text('mobileNo'),
    companyName: text('companyName'),
    companyType: text('companyType'),
    state: text('state'),
    districts: stringsOf(fields.districts),
    departments: stringsOf(fields.departments),
    address: text('address'),
  };
}

/** The draft of this tab at `now` (milliseconds since 1970); empty when there is none. */
export function readRegistrationDraft(now: number): RegistrationDraft {
  try {
    const stored: unknown = JSON.parse(tabStorage()?.getItem(STORAGE_KEY) ?? 'null');
    return typeof stored === 'object' && stored !== null ? parseDraft(stored, now) : EMPTY_REGISTRATION_DRAFT;
  } catch {
    return EMPTY_REGISTRATION_DRAFT;
  }
}

/**
 * Stores the fields of the draft and no others. Without browser storage they are lost when the page closes.
 */
export function saveRegistrationDraft(values: Partial<RegistrationDraft>): void {
  try {
    tabStorage()?.setItem(STORAGE_KEY, JSON.stringify(values, Object.keys(EMPTY_REGISTRATION_DRAFT)));
  } catch {
    // storage is full
  }
}

export function clearRegistrationDraft(): void {
  tabStorage()?.removeItem(STORAGE_KEY);
}

/** Changes the e-mail address. The code and the verification of the previous address are dropped. */
export function withEmail(draft: RegistrationDraft, email: string): Partial<RegistrationDraft> {
  return email === draft.email ? {} : { email, codeSentAt: null, verifiedAt: null };
}

/** The chosen districts and departments that belong to the state. Null when all of them do. */
export function withinState(
  draft: Pick<RegistrationDraft, 'districts' | 'departments'>,
  region: Region,
): Pick<RegistrationDraft, 'districts' | 'departments'> | null {
  const districts = draft.districts.filter((name) => region.districts.some((each) => each.name === name));
  const departments = draft.departments.filter((name) => region.departments.some((each) => each.name === name));
  const isWithin = districts.length === draft.districts.length && departments.length === draft.departments.length;
  return isWithin ? null : { districts, departments };
}
