import type { User } from '@nivida/contract/user';
import { useEffect, useRef, useState } from 'react';
import {
  checkCode,
  checkProfile,
  type Failure,
  failureOf,
  type ProfileErrors,
  type ProfileFields,
  refreshUser,
  refusedFields,
  saveProfile,
  toEmail,
  toFields,
  verifyEmail,
} from './profile.ts';

/** How the last press of the button ended; offline nothing was sent. */
export type Outcome = { kind: 'saved' } | { kind: 'offline' } | ({ kind: 'failed' } & Failure);

/** The wrong fields, the code from the mail among them. */
export type FormErrors = ProfileErrors & { otp?: string };

/**
 * The state of the profile's form. Only what was typed is held here: the rest is the stored user, which may change
 * beneath it, and what was typed stays through every failure.
 */
export function useProfile(user: User) {
  const [typed, setTyped] = useState<Partial<ProfileFields>>({});
  const [code, setCode] = useState('');
  const [errors, setErrors] = useState<FormErrors>({});
  const [outcome, setOutcome] = useState<Outcome>();
  const [pendingEmail, setPendingEmail] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const reading = useRef<AbortController>(undefined);

  useEffect(() => {
    const controller = new AbortController();
    reading.current = controller;
    refreshUser(controller.signal).catch(() => undefined);
    return () => controller.abort();
  }, []);

  const fields = { ...toFields(user), ...typed };
  const awaited = pendingEmail !== null && toEmail(fields.email) === pendingEmail ? pendingEmail : null;

  function change(changed: Partial<ProfileFields & { otp: string }>) {
    const { otp, ...others } = changed;
    if (otp !== undefined) setCode(otp);
    setTyped({ ...typed, ...others });
    const left = Object.entries(errors).filter(([name]) => !(name in changed));
    setErrors(Object.fromEntries(left));
    setOutcome(undefined);
  }

  async function call(provesCode: boolean) {
    // what is read now may be older than what is about to be written
    reading.current?.abort();
    if (provesCode && awaited) {
      await verifyEmail(awaited, code);
      // proved: should the next call fail, the code must not be asked for again
      setPendingEmail(null);
    }
    const pending = await saveProfile(user._id, fields);
    setCode('');
    setPendingEmail(pending);
    setTyped(pending === null ? {} : { email: fields.email });
    if (pending === null) setOutcome({ kind: 'saved' });
  }

  /** Checks and sends; `provesCode` with the code from the mail. Returns the name of the first wrong field. */
  async function send(provesCode: boolean): Promise<string | undefined> {
    const wrongCode = provesCode ? checkCode(code) : undefined;
    const wrong: FormErrors = { ...checkProfile(fields), ...(wrongCode && { otp: wrongCode }) };
    const [firstWrong] = Object.keys(wrong);
    setErrors(wrong);
    setOutcome(undefined);
    if (firstWrong) return firstWrong;
    if (!navigator.onLine) {
      setOutcome({ kind: 'offline' });
      return undefined;
    }
    setIsBusy(true);
    try {
      await call(provesCode);
    } catch (error) {
      const refused = refusedFields(error);
      const [firstRefused] = Object.keys(refused);
      setErrors(refused);
      if (firstRefused) return firstRefused;
      setOutcome({ kind: 'failed', ...failureOf(error) });
    } finally {
      setIsBusy(false);
    }
    return undefined;
  }

  return { fields, code, errors, outcome, awaited, isBusy, change, send };
}
