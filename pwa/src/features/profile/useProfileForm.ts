import type { User } from '@nivida/contract/account/user';
import { useEffect, useRef, useState } from 'react';
import {
  normaliseEmail,
  type ProfileErrors,
  type ProfileFailure,
  type ProfileFields,
  profileFailure,
  profileFields,
  refreshStoredUser,
  refusedProfileFields,
  saveProfile,
  validateCode,
  validateProfile,
  verifyChangedEmail,
} from './profile.ts';

/** How the last press of the button ended; offline nothing was sent. */
export type ProfileSaveResult = { kind: 'saved' } | { kind: 'offline' } | ({ kind: 'failed' } & ProfileFailure);

/** The wrong fields, the code from the mail among them. */
export type ProfileFormErrors = ProfileErrors & { otp?: string };

/**
 * The state of the profile's form. Only what was typed is held here: the rest is the stored user, which may change
 * beneath it, and what was typed stays through every failure.
 */
export function useProfileForm(user: User) {
  const [typed, setTyped] = useState<Partial<ProfileFields>>({});
  const [code, setCode] = useState('');
  const [errors, setErrors] = useState<ProfileFormErrors>({});
  const [outcome, setOutcome] = useState<ProfileSaveResult>();
  const [pendingEmail, setPendingEmail] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const reading = useRef<AbortController>(undefined);

  useEffect(() => {
    const controller = new AbortController();
    reading.current = controller;
    refreshStoredUser(controller.signal).catch(() => undefined);
    return () => controller.abort();
  }, []);

  const fields = { ...profileFields(user), ...typed };
  const awaited = pendingEmail !== null && normaliseEmail(fields.email) === pendingEmail ? pendingEmail : null;

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
      await verifyChangedEmail(awaited, code);
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
    const wrongCode = provesCode ? validateCode(code) : undefined;
    const wrong: ProfileFormErrors = { ...validateProfile(fields), ...(wrongCode && { otp: wrongCode }) };
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
      const refused = refusedProfileFields(error);
      const [firstRefused] = Object.keys(refused);
      setErrors(refused);
      if (firstRefused) return firstRefused;
      setOutcome({ kind: 'failed', ...profileFailure(error) });
    } finally {
      setIsBusy(false);
    }
    return undefined;
  }

  return { fields, code, errors, outcome, awaited, isBusy, change, send };
}
