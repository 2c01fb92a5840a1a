import { t } from '@lingui/core/macro';
import type { User } from '@nivida/contract/account/user';
import { isHTTPError } from 'ky';
import { useEffect, useRef, useState } from 'react';
import { formFailure, refusalOf } from '../../data/server/api.ts';
import { useForm } from '../../ui/form/useForm.ts';
import {
  normaliseEmail,
  type ProfileFields,
  profileFields,
  refreshStoredUser,
  saveProfile,
  validateProfile,
  verifyChangedEmail,
} from './profile.ts';

/** Result of the last submit. 'offline': nothing was sent. */
export type ProfileSaveResult = 'saved' | 'offline' | 'failed';

/** A validated form that waits for the password. */
interface Unconfirmed {
  checked: ProfileFields;
  isVerifying: boolean;
}

/**
 * The state of the profile's form. It holds only the typed values; the others come from the stored user, who
 * may change while the form is open. The typed values stay after a failure. `confirm` is set while the server
 * asks for the password, `sendAgain` while it asks for a passkey.
 */
export function useProfileForm(user: User) {
  const [outcome, setOutcome] = useState<ProfileSaveResult>();
  const [pendingEmail, setPendingEmail] = useState<string | null>(null);
  const [unconfirmed, setUnconfirmed] = useState<Unconfirmed | null>(null);
  const [needsPasskey, setNeedsPasskey] = useState(false);
  // The call with the code of a new address needs the password again.
  const password = useRef<string>(undefined);
  const refreshing = useRef<AbortController>(undefined);
  const form = useForm({ ...profileFields(user), otp: '' }, { onChange: () => setOutcome(undefined) });
  const { values } = form;

  useEffect(() => {
    const controller = new AbortController();
    refreshing.current = controller;
    refreshStoredUser(controller.signal).catch(() => undefined);
    return () => controller.abort();
  }, []);

  const awaitedEmail = pendingEmail !== null && normaliseEmail(values.email) === pendingEmail ? pendingEmail : null;

  async function save(checked: ProfileFields, isVerifying: boolean) {
    if (!navigator.onLine) return setOutcome('offline');
    // The running refresh may bring an answer that is older than this change.
    refreshing.current?.abort();
    if (isVerifying && awaitedEmail) {
      await verifyChangedEmail(awaitedEmail, values.otp);
      // The address is verified, even if the next call fails.
      setPendingEmail(null);
    }
    const pending = await saveProfile(user._id, checked, password.current);
    setPendingEmail(pending);
    form.reset(pending === null ? {} : { email: values.email });
    if (pending !== null) return;
    password.current = undefined;
    setOutcome('saved');
  }

  /** Validates and sends the form. With `isVerifying` it verifies the code from the mail first. */
  async function send(isVerifying: boolean): Promise<void> {
    setOutcome(undefined);
    const { username, email, mobileNo, otp } = values;
    const valid = validateProfile({ username, email, mobileNo }, isVerifying ? otp : undefined);
    await form.submit(
      valid,
      (checked) => save(checked, isVerifying),
      (error) => {
        if (refusalOf(error)?.code === 'PASSKEY_NEEDED') {
          setNeedsPasskey(true);
          return { text: '' };
        }
        if (isHTTPError(error) && error.response.status === 403 && password.current === undefined) {
          if (valid.sent) setUnconfirmed({ checked: valid.sent, isVerifying });
          return { text: '' };
        }
        const failure = formFailure(error, t`Failed to update profile`, values);
        if (failure.text) setOutcome('failed');
        return failure;
      },
    );
  }

  /**
   * Saves the validated form with the password. If the server refuses another field, the dialog closes and
   * the form shows the error.
   */
  async function confirm(typed: string): Promise<void> {
    if (!unconfirmed) return;
    password.current = typed;
    try {
      // The first call has verified the code.
      await save(unconfirmed.checked, false);
      setUnconfirmed(null);
    } catch (error) {
      password.current = undefined;
      const { errors } = formFailure(error, '', values);
      if (!errors) throw error;
      setUnconfirmed(null);
      form.showErrors(errors);
    }
  }

  /** Sends the form after the passkey was shown. The first call has verified the code. */
  function sendAgain(): void {
    setNeedsPasskey(false);
    void send(false);
  }

  return {
    form,
    outcome,
    awaitedEmail,
    send,
    confirm: unconfirmed && confirm,
    cancelConfirm: () => setUnconfirmed(null),
    sendAgain: needsPasskey ? sendAgain : null,
    cancelPasskey: () => setNeedsPasskey(false),
  };
}
