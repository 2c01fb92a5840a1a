import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { openAuthDialog } from '../features/auth/dialogs.ts';
import { NewPasswordForm } from '../features/auth/NewPasswordForm.tsx';
import { Button } from '../ui/Button.tsx';
import { Note } from '../ui/Note.tsx';
import { PageHead } from '../ui/PageHead.tsx';
import { Sheet } from '../ui/Sheet.tsx';

function tokenIn(hash: string): string {
  return new URLSearchParams(hash.slice(1)).get('token') ?? '';
}

/** The token of the mail's link. It leaves the address bar at once, where others would see it. */
function useToken(): string {
  const { hash } = useLocation();
  const navigate = useNavigate();
  const [kept, setKept] = useState('');
  const found = tokenIn(hash);
  useEffect(() => {
    if (found === '') return;
    setKept(found);
    void navigate('/reset-password', { replace: true });
  }, [found, navigate]);
  return found || kept;
}

function NoLink({ reason }: { reason: string }) {
  return (
    <>
      <Note tone="red" icon="warning" alert>
        {reason}
      </Note>
      <div className="row">
        <Button look="main" onClick={() => openAuthDialog('reset-password')}>
          Request a new link
        </Button>
      </div>
    </>
  );
}

function Done() {
  return (
    <>
      <div role="status">
        <Note tone="green" icon="check">
          Your password is changed. Sign in with it; all devices were signed out.
        </Note>
      </div>
      <div className="row">
        {/* the field that had the focus is gone */}
        <Button look="main" autoFocus onClick={() => openAuthDialog('sign-in')}>
          Sign in
        </Button>
      </div>
    </>
  );
}

/** One link: the form, and then what came of it. */
function ByLink({ token }: { token: string }) {
  const [isDone, setIsDone] = useState(false);
  const [deadBecause, setDeadBecause] = useState('');
  if (isDone) return <Done />;
  if (deadBecause !== '') return <NoLink reason={deadBecause} />;
  return <NewPasswordForm token={token} onDone={() => setIsDone(true)} onDeadLink={setDeadBecause} />;
}

/** `/reset-password#token=…`: a new password by the link of the mail (RESOLUTIONS R14). */
export function ResetPassword() {
  const token = useToken();
  return (
    <div className="page">
      <PageHead title="Reset Password" description="Choose a new password for your account." />
      <div className="column">
        <Sheet stack>
          <h1>Reset Password</h1>
          {token === '' ? (
            <NoLink reason="Open this page by the link in the email. The link works once, for 30 minutes." />
          ) : (
            <ByLink key={token} token={token} />
          )}
        </Sheet>
      </div>
    </div>
  );
}
