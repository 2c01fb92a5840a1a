import type { Region } from '@nivida/contract/regions/regions';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { EMPTY_REGISTRATION } from './registration.ts';
import {
  clearRegistrationDraft,
  EMPTY_REGISTRATION_DRAFT,
  readRegistrationDraft,
  saveRegistrationDraft,
  withEmail,
  withinState,
} from './registration-draft.ts';

const NOW = Date.parse('2026-11-21T10:00:00+05:30');
const MINUTE = 60_000;

const typed = {
  ...EMPTY_REGISTRATION_DRAFT,
  name: 'Asha Verma',
  email: 'asha@builders.example',
  codeSentAt: NOW - 2 * MINUTE,
  countryCode: '+44',
  mobileNo: '9876543210',
  companyName: 'Verma Builders',
  companyType: 'private',
  state: 'Delhi',
  districts: ['New Delhi'],
  departments: ['Delhi Jal Board'],
  address: 'Mall Road',
};

afterEach(() => sessionStorage.clear());

describe('the draft of a registration', () => {
  test('comes back after a reload', () => {
    saveRegistrationDraft(typed);
    expect(readRegistrationDraft(NOW)).toEqual(typed);
    const verified = { ...typed, verifiedAt: NOW - MINUTE };
    saveRegistrationDraft(verified);
    expect(readRegistrationDraft(NOW)).toEqual(verified);
  });

  test('is lost without a word when the storage is full', () => {
    const full = () => {
      throw new DOMException('full', 'QuotaExceededError');
    };
    vi.stubGlobal('sessionStorage', { getItem: full, setItem: full, removeItem: () => undefined });
    saveRegistrationDraft(typed);
    expect(readRegistrationDraft(NOW)).toEqual(EMPTY_REGISTRATION_DRAFT);
    vi.unstubAllGlobals();
  });

  test('never stores the password, its confirmation or the code', () => {
    const values = { ...EMPTY_REGISTRATION, ...typed, password: 'cloudy lamp 7', otp: '123456' };
    saveRegistrationDraft(values);
    expect(readRegistrationDraft(NOW)).toEqual(typed);
    expect(sessionStorage.getItem('registrationDraft')).not.toMatch(/cloudy lamp|123456/);
  });

  test('is empty at first and after the registration', () => {
    expect(readRegistrationDraft(NOW)).toEqual(EMPTY_REGISTRATION_DRAFT);
    saveRegistrationDraft(typed);
    clearRegistrationDraft();
    expect(readRegistrationDraft(NOW)).toEqual(EMPTY_REGISTRATION_DRAFT);
  });

  test.each(['{"name":"As', 'null', '7', '"text"', '[]'])('is empty when the stored text is %s', (stored) => {
    sessionStorage.setItem('registrationDraft', stored);
    expect(readRegistrationDraft(NOW)).toEqual(EMPTY_REGISTRATION_DRAFT);
  });

  test('leaves a field of another shape empty', () => {
    sessionStorage.setItem(
      'registrationDraft',
      JSON.stringify({
        ...typed,
        ...{ name: 7, countryCode: 91, districts: ['New Delhi', null], departments: 'PWD', codeSentAt: 'yesterday' },
      }),
    );
    expect(readRegistrationDraft(NOW)).toEqual({
      ...typed,
      ...{ name: '', countryCode: '+91', districts: ['New Delhi'], departments: [], codeSentAt: null },
    });
  });

  test('continues at the password once the address is verified', () => {
    saveRegistrationDraft({ ...typed, step: 3, verifiedAt: NOW - MINUTE });
    expect(readRegistrationDraft(NOW).step).toBe(2);
    saveRegistrationDraft({ ...typed, step: 3, verifiedAt: NOW - 29 * MINUTE + 1 });
    expect(readRegistrationDraft(NOW).step).toBe(2);
  });

  test('goes back to the address when its verification has expired', () => {
    saveRegistrationDraft({ ...typed, step: 3, verifiedAt: NOW - 29 * MINUTE });
    expect(readRegistrationDraft(NOW)).toMatchObject({ step: 1, verifiedAt: null, email: 'asha@builders.example' });
  });

  test('drops a code and a verification of a clock that was ahead', () => {
    saveRegistrationDraft({ ...typed, step: 3, codeSentAt: NOW + 1, verifiedAt: NOW + 1 });
    expect(readRegistrationDraft(NOW)).toMatchObject({ step: 1, codeSentAt: null, verifiedAt: null });
  });

  test('drops a code that has expired', () => {
    saveRegistrationDraft({ ...typed, codeSentAt: NOW - 10 * MINUTE });
    expect(readRegistrationDraft(NOW).codeSentAt).toBeNull();
    saveRegistrationDraft({ ...typed, codeSentAt: NOW - 10 * MINUTE + 1 });
    expect(readRegistrationDraft(NOW).codeSentAt).toBe(NOW - 10 * MINUTE + 1);
  });
});

test('the verification of one address does not count for another', () => {
  const verified = { ...typed, verifiedAt: NOW };
  expect(withEmail(verified, 'other@builders.example')).toEqual({
    email: 'other@builders.example',
    codeSentAt: null,
    verifiedAt: null,
  });
  expect(withEmail(verified, 'asha@builders.example')).toEqual({});
});

test('another state drops the districts and departments that it does not have', () => {
  const named = (name: string) => ({ name, slug: name.toLowerCase(), aliases: [] });
  const himachal: Region = {
    state: { name: 'Himachal Pradesh', slug: 'himachal-pradesh', iso: 'IN-HP' },
    aliases: [],
    districts: [named('Solan'), named('Una')],
    departments: [named('PWD'), named('Industries')],
  };
  const chosen = { ...typed, districts: ['New Delhi', 'Una'], departments: ['PWD', 'Delhi Jal Board'] };
  expect(withinState(chosen, himachal)).toEqual({ districts: ['Una'], departments: ['PWD'] });
  expect(withinState({ districts: ['Una', 'Pune'], departments: ['PWD'] }, himachal)).toEqual({
    districts: ['Una'],
    departments: ['PWD'],
  });
  expect(withinState({ districts: ['Una'], departments: ['PWD', 'Space'] }, himachal)).toEqual({
    districts: ['Una'],
    departments: ['PWD'],
  });
  expect(withinState({ districts: ['Una'], departments: [] }, himachal)).toBeNull();
});
