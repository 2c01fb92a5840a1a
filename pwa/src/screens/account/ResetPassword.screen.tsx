import { t } from '@lingui/core/macro';
import { PAGES, pageText } from '@nivida/contract/site/pages';
import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { openAuthDialog } from '../../features/auth/dialogs.ts';
import { NewPasswordForm } from '../../features/auth/password/NewPasswordForm.tsx';
import { Button } from '../../ui/Button.tsx';
import { Panel } from '../../ui/display/Panel.tsx';
import { Note } from '../../ui/feedback/Note.tsx';
import { PageMeta } from '../../ui/PageMeta.tsx';

function tokenOfHash(hash: string): string {
  return new URLSearchParams(hash.slice(1)).get('token') ?? '';
}

/**
 * Reads the token of the mail's link. Removes it from the address bar at once, because others could see it
 * there.
 */
function useResetToken(): string {
  const { hash } = useLocation();
  const navigate = useNavigate();
  const [storedToken, setStoredToken] = useState('');
  const found = tokenOfHash(hash);
  useEffect(() => {
    if (found === '') return;
    setStoredToken(found);
    void navigate('/reset-password', { replace: true });
  }, [found, navigate]);
  return found || storedToken;
}

function InvalidLink({ reason }: { reason: string }) {
  return (
    <>
      <Note tone="red" icon="warning" alert>
        {reason}
      </Note>
      <div className="row">
        <Button look="main" onClick={() => openAuthDialog('reset-password')}>
          {t`Request a new link`}
        </Button>
      </div>
    </>
  );
}

function ResetDone() {
  return (
    <>
      <div role="status">
        <Note tone="green" icon="check">
          {t`Your password is changed. Sign in with it; all devices were signed out.`}
        </Note>
      </div>
      <div className="row">
        {/* The focused field was removed, so the button takes the focus. */}
        <Button look="main" autoFocus onClick={() => openAuthDialog('sign-in')}>
          {t`Sign in`}
        </Button>
      </div>
    </>
  );
}

/** The form for one link, then its result. */
function ResetByLink({ token }: { token: string }) {
  const [isDone, setIsDone] = useState(false);
  const [deadBecause, setDeadBecause] = useState('');
  if (isDone) return <ResetDone />;
  if (deadBecause !== '') return <InvalidLink reason={deadBecause} />;
  return <NewPasswordForm token={token} onDone={() => setIsDone(true)} onDeadLink={setDeadBecause} />;
}

/** `/reset-password#token=…`: sets a new password by the mail's link (R14). */
export function ResetPassword() {
  const token = useResetToken();
  return (
    <div className="page">
      <PageMeta {...pageText(PAGES['/reset-password'])} />
      <div className="column">
        <Panel stack>
          <h1>{t`Reset Password`}</h1>
          {token === '' ? (
            <InvalidLink reason={t`Open this page by the link in the email. The link works once, for 30 minutes.`} />
          ) : (
            <ResetByLink key={token} token={token} />
          )}
        </Panel>
      </div>
    </div>
  );
}
