import { t } from '@lingui/core/macro';
import { useState } from 'react';
import { failureText } from '../../data/server/api.ts';
import { Button } from '../../ui/Button.tsx';
import { ErrorText } from '../../ui/feedback/Note.tsx';
import { FormElement, TextField } from '../../ui/form/FormFields.tsx';
import { useForm } from '../../ui/form/useForm.ts';
import css from './auth.module.css';
import { signInByRecoveryCode } from './passkey-sign-in.ts';
import { usePasskeySignIn } from './usePasskeySignIn.ts';

interface SecondFactorStepProps {
  secondFactorToken: string;
  onDone: () => void;
  /** Returns to mobile number and password. */
  onRestart: () => void;
}

/** The second step of a sign-in: a passkey, or a recovery code when the device with the passkey is lost. */
export function SecondFactorStep({ secondFactorToken, onDone, onRestart }: SecondFactorStepProps) {
  const [wantsCode, setWantsCode] = useState(false);
  const passkey = usePasskeySignIn(onDone);
  const form = useForm({ code: '' }, { stepOf: () => Number(wantsCode) });
  const { code } = form.values;

  const submitCode = () =>
    form.submit(
      code.trim() === '' ? { errors: { code: t`Enter one of your recovery codes` } } : { sent: code, errors: {} },
      async (sent) => {
        await signInByRecoveryCode(secondFactorToken, sent);
        onDone();
      },
      (error) => ({ text: failureText(error, t`Failed to login`) }),
    );

  return (
    <FormElement form={form} onSubmit={wantsCode ? submitCode : () => passkey.signIn({ secondFactorToken })}>
      {wantsCode ? (
        <>
          <p>{t`Enter one of the recovery codes that you have kept. Each works once.`}</p>
          <ErrorText text={form.failure} />
          <TextField
            form={form}
            name="code"
            label={t`Recovery code`}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            placeholder="0-XXXXX-XXXXX"
          />
        </>
      ) : (
        <>
          <p>{t`Your password is right. Your account asks for your passkey too.`}</p>
          <ErrorText text={passkey.problem} />
        </>
      )}
      <Button look="main" type="submit" busy={form.isBusy || passkey.isBusy}>
        {wantsCode ? t`Sign in` : t`Use your passkey`}
      </Button>
      <div className={css.between}>
        <Button look="link" onClick={() => setWantsCode(!wantsCode)}>
          {wantsCode ? t`Use your passkey` : t`Use a recovery code`}
        </Button>
        <Button look="link" onClick={onRestart}>
          {t`Start again`}
        </Button>
      </div>
    </FormElement>
  );
}
