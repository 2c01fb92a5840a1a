import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { request } from '@playwright/test';
import { mailedCode } from './mailbox.ts';
import { noteSecrets } from './secrets.ts';

/** A person with a company. */
export interface Person {
  name: string;
  email: string;
  /** 10 digits. */
  mobileNo: string;
  password: string;
  companyName: string;
  address: string;
}

/** An unused e-mail address. */
export function createEmail(): string {
  const email = `asha.${randomUUID().slice(0, 8)}@builders.example`;
  noteSecrets(email);
  return email;
}

/** An unused mobile number, 10 digits. */
export function createMobile(): string {
  const mobileNo = String(randomInt(7_000_000_000, 7_999_999_999));
  noteSecrets(mobileNo);
  return mobileNo;
}

/** A strong password. */
export function createPassword(): string {
  const password = `Kx-${randomBytes(9).toString('base64url')}`;
  noteSecrets(password);
  return password;
}

/** A person without an account. */
export function createPerson(): Person {
  return {
    name: 'Asha Verma',
    email: createEmail(),
    mobileNo: createMobile(),
    password: createPassword(),
    companyName: 'Verma Builders',
    address: '12 Mall Road\nShimla',
  };
}

/** Registers by the wizard's API calls on another device, which then signs out. */
export async function registerByApi(person = createPerson()): Promise<Person> {
  const client = await request.newContext({ baseURL: process.env.E2E_ORIGIN ?? '' });
  const post = async (path: string, data: object, headers = {}) => {
    const answer = await client.post(`/api/auth/${path}`, { data, headers });
    if (!answer.ok()) throw new Error(`${path} answered ${answer.status()} ${await answer.text()}`);
    return answer.json();
  };
  const { email, name, mobileNo, password, companyName, address } = person;
  await post('otp/generate', { email });
  await post('otp/verify', { email, otp: await mailedCode(email) });
  const { token } = await post('register', {
    name,
    email,
    mobileNo,
    password,
    companyName,
    companyType: 'private',
    state: 'Himachal Pradesh',
    districts: ['Shimla'],
    departments: ['PWD'],
    address,
  });
  await post('logout', {}, { Authorization: `Bearer ${token}` });
  await client.dispose();
  return person;
}
