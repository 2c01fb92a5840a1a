import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { type PasskeyListResponse, type PasskeySummary, RECOVERY_CODE_COUNT } from '@nivida/contract/account/passkeys';
import { formatAge, formatDate } from '@nivida/contract/format';
import { useState } from 'react';
import { useNow } from '../../../data/clock.ts';
import { passkeyFailureText, passkeyObstacle } from '../../../data/passkeys/passkey-prompts.ts';
import { errorMessage } from '../../../data/server/api.ts';
import { useMutation } from '../../../data/useMutation.ts';
import { Button } from '../../../ui/Button.tsx';
import { Badge } from '../../../ui/display/Badge.tsx';
import { Panel } from '../../../ui/display/Panel.tsx';
import { ListError } from '../../../ui/feedback/ListError.tsx';
import { ErrorText } from '../../../ui/feedback/Note.tsx';
import { RowsSkeleton } from '../../../ui/feedback/Skeleton.tsx';
import { Checkbox } from '../../../ui/form/Checkbox.tsx';
import rows from '../Sessions.module.css';
import {
  AddPasskeyDialog,
  ConfirmDialog,
  RecoveryCodesDialog,
  RemovePasskeyDialog,
  RenamePasskeyDialog,
} from './PasskeyDialogs.tsx';
import css from './passkeys.module.css';
import { isSessionConfirmed, makeRecoveryCodes, refreshPasskeys, setSecondFactor, usePasskeys } from './passkeys.ts';

type Step =
  | { kind: 'add' }
  | { kind: 'rename' | 'remove'; passkey: PasskeySummary }
  | { kind: 'codes'; codes: readonly string[] }
  | { kind: 'confirm'; next: () => void };

/** The user's passkeys, and the second step of signing in. */
export function Passkeys({ userId, mobileNo }: { userId: string; mobileNo: string }) {
  const { answer, isLoading, error, receivedAt, reload } = usePasskeys(userId);
  const now = useNow();
  const [step, setStep] = useState<Step>();
  const change = useMutation(t`Failed to change your passkeys`);
  const [obstacle, setObstacle] = useState<string>();

  const close = () => setStep(undefined);
  const finish = () => {
    close();
    void refreshPasskeys(userId);
  };

  /** Does a change, after the user has confirmed it if that is needed. */
  async function guarded(act: () => unknown): Promise<void> {
    setObstacle(undefined);
    const next = () => {
      close();
      void act();
    };
    await change.run(async () => {
      if (await isSessionConfirmed()) next();
      else setStep({ kind: 'confirm', next });
    });
  }

  function add(): void {
    const found = passkeyObstacle();
    if (found) setObstacle(passkeyFailureText(found));
    else void guarded(() => setStep({ kind: 'add' }));
  }

  const showCodes = (codes: readonly string[] | null) => {
    if (codes) setStep({ kind: 'codes', codes });
    void refreshPasskeys(userId);
  };
  const switchSecondFactor = (isOn: boolean) =>
    guarded(() => change.run(async () => showCodes(await setSecondFactor(isOn))));
  const renewCodes = () => guarded(() => change.run(async () => showCodes(await makeRecoveryCodes())));

  return (
    <Panel stack aria-labelledby="passkeys">
      <h2 id="passkeys">{t`Passkeys`}</h2>
      <p className="s muted">
        {t`A passkey signs you in with the lock of your device: fingerprint, face or PIN. There is nothing to remember, and a false site cannot take it.`}
      </p>
      {isLoading && <RowsSkeleton label={t`Loading your passkeys`} title={15} facts={30} />}
      {error !== undefined && (
        <ListError
          text={errorMessage(error, t`Failed to load your passkeys`)}
          offlineText={t`You are offline. The list needs a connection.`}
          age={receivedAt && formatAge(receivedAt, now)}
          onRetry={reload}
        />
      )}
      {answer?.passkeys.length === 0 && <p className="s muted">{t`You have no passkey yet.`}</p>}
      {answer && answer.passkeys.length > 0 && (
        <ul className="rows">
          {answer.passkeys.map((passkey) => (
            <PasskeyRow
              key={passkey.id}
              passkey={passkey}
              now={now}
              onRename={() => setStep({ kind: 'rename', passkey })}
              onRemove={() => void guarded(() => setStep({ kind: 'remove', passkey }))}
            />
          ))}
        </ul>
      )}
      <div className={rows.end}>
        <Button aria-haspopup="dialog" onClick={add}>
          {t`Add a passkey`}
        </Button>
      </div>
      {answer && answer.passkeys.length > 0 && (
        <SecondFactor
          {...answer}
          isBusy={change.isBusy}
          onSwitch={(isOn) => void switchSecondFactor(isOn)}
          onRenew={() => void renewCodes()}
        />
      )}
      <ErrorText text={obstacle ?? change.problem} />
      {step?.kind === 'add' && <AddPasskeyDialog onClose={close} onDone={finish} />}
      {step?.kind === 'rename' && <RenamePasskeyDialog passkey={step.passkey} onClose={close} onDone={finish} />}
      {step?.kind === 'remove' && <RemovePasskeyDialog passkey={step.passkey} onClose={close} onDone={finish} />}
      {step?.kind === 'codes' && <RecoveryCodesDialog codes={step.codes} onClose={close} />}
      {step?.kind === 'confirm' && answer && (
        <ConfirmDialog
          mobileNo={mobileNo}
          hasPasskey={answer.passkeys.length > 0}
          canUsePassword={answer.canConfirmByPassword}
          onClose={close}
          onDone={step.next}
        />
      )}
    </Panel>
  );
}

interface PasskeyRowProps {
  passkey: PasskeySummary;
  now: Date;
  onRename: () => void;
  onRemove: () => void;
}

function PasskeyRow({ passkey, now, onRename, onRemove }: PasskeyRowProps) {
  const { name, createdAt, lastUsedAt, isThisDevice } = passkey;
  const used = lastUsedAt === null ? t`not used yet` : t`last used ${{ age: formatAge(new Date(lastUsedAt), now) }}`;
  return (
    <li>
      <div className={`${rows.row} ${css.passkey}`}>
        <div>
          <p>
            <b>{name}</b> {isThisDevice && <Badge tone="blue">{t`This device`}</Badge>}
          </p>
          <p className="xs muted">
            {t`Added ${{ day: formatDate(createdAt) }}`} · {used}
          </p>
        </div>
        <div className={css.actions}>
          <Button aria-haspopup="dialog" onClick={onRename}>
            <Trans>
              Rename<span className="sr"> {name}</span>
            </Trans>
          </Button>
          <Button aria-haspopup="dialog" onClick={onRemove}>
            <Trans>
              Remove<span className="sr"> {name}</span>
            </Trans>
          </Button>
        </div>
      </div>
    </li>
  );
}

interface SecondFactorProps extends PasskeyListResponse {
  isBusy: boolean;
  onSwitch: (isOn: boolean) => void;
  onRenew: () => void;
}

function SecondFactor(props: SecondFactorProps) {
  const { secondFactor, isSecondFactorRequired, recoveryCodesLeft, isBusy, onSwitch, onRenew } = props;
  return (
    <>
      <div>
        <Checkbox
          checked={secondFactor}
          disabled={isBusy || isSecondFactorRequired}
          onChange={({ target }) => onSwitch(target.checked)}
        >
          {t`Ask for a passkey after my password, too`}
        </Checkbox>
        <p className="xs muted">
          {isSecondFactorRequired
            ? t`Members of staff always need it.`
            : t`Then a password alone does not open your account.`}
        </p>
      </div>
      {secondFactor && (
        <div className={rows.row}>
          <div>
            <p>
              <b>{t`Recovery codes`}</b>
            </p>
            <p className="xs muted">
              {recoveryCodesLeft === 0
                ? t`You have no codes. Without a code, a lost passkey locks you out.`
                : plural(recoveryCodesLeft, {
                    one: `# of ${RECOVERY_CODE_COUNT} codes is unused.`,
                    other: `# of ${RECOVERY_CODE_COUNT} codes are unused.`,
                  })}
            </p>
          </div>
          <Button busy={isBusy} onClick={onRenew}>
            {t`Make new codes`}
          </Button>
        </div>
      )}
    </>
  );
}
