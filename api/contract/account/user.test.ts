import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { ExportQuery } from './account-export.ts';
import { DeleteAccountRequest, ProfileForm, User, UserInfoRequest } from './user.ts';

/** The first message of each invalid field; undefined when all are valid. */
function messages(schema: v.GenericSchema, value: unknown): Record<string, string> | undefined {
  const { issues } = v.safeParse(schema, value);
  if (!issues) return undefined;
  const first: Record<string, string> = {};
  for (const issue of issues) first[v.getDotPath(issue) ?? ''] ??= issue.message;
  return first;
}

const PROFILE = { username: 'Asha Verma', email: 'asha@builders.example', mobileNo: '+919812345678' };
const CONTROL = 'Line breaks and control characters are not allowed';

describe('the profile as it is sent', () => {
  test.each<[string, Record<string, unknown>, Record<string, string> | undefined]>([
    ['is complete', {}, undefined],
    ['may lack +91', { mobileNo: '9812345678' }, undefined],
    ['may have a name of 100 characters', { username: 'अ'.repeat(100) }, undefined],
    ['needs a name', { username: undefined }, { username: 'Username is required' }],
    ['needs more than blanks', { username: ' \t ' }, { username: 'Username is required' }],
    ['has a name of at most 100 characters', { username: 'अ'.repeat(101) }, { username: 'At most 100 characters' }],
    ['has a name of one line', { username: 'Asha\r\nBcc: x@y.example' }, { username: CONTROL }],
    ['has a name without a null', { username: 'Asha\u0000' }, { username: CONTROL }],
    ['needs an e-mail', { email: '' }, { email: 'Email is required' }],
    ['has one e-mail', { email: 'a@b.example;c@d.example' }, { email: 'Please enter a valid email address' }],
    ['has an e-mail of one line', { email: 'a@b.example\nBcc: c' }, { email: 'Please enter a valid email address' }],
    ['needs a mobile', { mobileNo: undefined }, { mobileNo: 'Mobile number is required' }],
    ['has an Indian mobile', { mobileNo: '+15551234567' }, { mobileNo: 'Invalid mobile number format' }],
    ['has a mobile from 6 to 9', { mobileNo: '5812345678' }, { mobileNo: 'Invalid mobile number format' }],
    ['has a mobile in one line', { mobileNo: '98123\n45678' }, { mobileNo: 'Invalid mobile number format' }],
    ['has no role', { role: 'admin' }, { role: 'The body holds a field that does not belong there' }],
  ])('%s', (_name, changes, expected) => {
    expect(messages(UserInfoRequest, { ...PROFILE, ...changes })).toEqual(expected);
  });

  test('comes out trimmed, with +91 and the domain in lower case', () => {
    const sent = { username: ' Asha ', email: ' Asha@Builders.Example ', mobileNo: ' 9812345678 ' };
    expect(v.parse(UserInfoRequest, sent)).toEqual({
      username: 'Asha',
      email: 'Asha@builders.example',
      mobileNo: '+919812345678',
    });
  });
});

test.each<[string, string, string | undefined]>([
  ['10 digits', '9812345678', undefined],
  ['nothing', '', 'Mobile number is required'],
  ['9 digits', '981234567', 'Please enter a valid 10-digit mobile number'],
  ['+91 and 10 digits', '+919812345678', undefined],
  ['another country', '+449812345678', 'Please enter a valid 10-digit mobile number'],
])('the profile form validates a mobile number: %s', (_name, mobileNo, message) => {
  expect(messages(ProfileForm, { ...PROFILE, mobileNo })).toEqual(message && { mobileNo: message });
});

test.each<[string, unknown, Record<string, string> | undefined]>([
  ['a password', { password: 'old-pw' }, undefined],
  ['no password', {}, { password: 'Password is required' }],
  ['a short password', { password: '12345' }, { password: 'Password must be at least 6 characters' }],
  ['a number', { password: 12_345_678 }, { password: 'Password is required' }],
  ['another field', { password: 'old-pw', id: '1' }, { id: 'The body holds a field that does not belong there' }],
])('deleting an account needs its password: %s', (_name, body, expected) => {
  expect(messages(DeleteAccountRequest, body)).toEqual(expected);
});

test.each<[unknown, string | undefined]>([
  [{}, undefined],
  [{ format: 'json' }, undefined],
  [{ format: 'csv' }, undefined],
  [{ format: 'xlsx' }, 'The format is json or csv'],
  [{ format: ['csv', 'json'] }, 'The format is json or csv'],
])('the query of an export may be %j', (query, message) => {
  expect(messages(ExportQuery, query)).toEqual(message && { format: message });
});

test('a user on a device has a mobile with +91', () => {
  const user = { _id: '1', ...PROFILE };
  expect(v.is(User, user)).toBe(true);
  expect(v.is(User, { ...user, mobileNo: '9812345678' })).toBe(false);
});
