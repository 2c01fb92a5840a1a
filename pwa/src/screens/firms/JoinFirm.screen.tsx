import { t } from '@lingui/core/macro';
import type { FirmInvitation } from '@nivida/contract/firms/firms';
import { formatDate } from '@nivida/contract/format';
import { PAGES, pageText } from '@nivida/contract/site/pages';
import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { failureText } from '../../data/server/api.ts';
import { useSession } from '../../data/session.ts';
import { useMutation } from '../../data/useMutation.ts';
import { openAuthDialog } from '../../features/auth/dialogs.ts';
import { acceptInvitation, readInvitation } from '../../features/firms/firm-calls.ts';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { Panel } from '../../ui/display/Panel.tsx';
import { ErrorText } from '../../ui/feedback/Note.tsx';
import { Spinner } from '../../ui/feedback/Spinner.tsx';
import { DashboardPage } from '../dashboard/DashboardPage.tsx';

const STORED_TOKEN = 'firm-invitation';

/** The token of the mail's link. The tab keeps it through a registration; the address bar loses it at once. */
function useInvitationToken(): string {
  const { hash } = useLocation();
  const navigate = useNavigate();
  const found = new URLSearchParams(hash.slice(1)).get('token') ?? '';
  const [stored, setStored] = useState(() => globalThis.sessionStorage?.getItem(STORED_TOKEN) ?? '');
  useEffect(() => {
    if (found === '') return;
    sessionStorage.setItem(STORED_TOKEN, found);
    setStored(found);
    void navigate('/firm-invitation', { replace: true });
  }, [found, navigate]);
  return found || stored;
}

function Answer({ userId, token }: { userId: string; token: string }) {
  const navigate = useNavigate();
  const [invitation, setInvitation] = useState<FirmInvitation>();
  const [problem, setProblem] = useState<string>();
  const joining = useMutation(t`You have not joined the firm`);
  useEffect(() => {
    let isShown = true;
    readInvitation(userId, token).then(
      (read) => isShown && setInvitation(read),
      (error) => isShown && setProblem(failureText(error, t`The invitation could not be read`)),
    );
    return () => {
      isShown = false;
    };
  }, [userId, token]);
  if (problem) return <ErrorText text={problem} />;
  if (!invitation) return <Spinner label={t`Loading the invitation`} />;
  const { firm, invitedBy, role, expiresAt } = invitation;
  const join = async () => {
    if (!(await joining.run(() => acceptInvitation(userId, token)))) return;
    sessionStorage.removeItem(STORED_TOKEN);
    void navigate('/dashboard/applications', { replace: true });
  };
  return (
    <>
      <p>
        {role === 'owner'
          ? t`${invitedBy} invites you to ${firm} as an owner, until ${{ day: formatDate(expiresAt) }}.`
          : t`${invitedBy} invites you to ${firm} as a member, until ${{ day: formatDate(expiresAt) }}.`}
      </p>
      <p className="s muted">
        {t`The members see your name. They share the firm's bids, deposits and documents; your own records stay yours.`}
      </p>
      <ErrorText text={joining.problem} />
      <div className="row">
        <Button look="main" busy={joining.isBusy} onClick={() => void join()}>
          {t`Join ${firm}`}
        </Button>
      </div>
    </>
  );
}

/** `/firm-invitation#token=…`: the page of the mailed link. */
export function JoinFirm() {
  const token = useInvitationToken();
  const session = useSession();
  return (
    <DashboardPage {...pageText(PAGES['/firm-invitation'])}>
      <Panel stack>
        {token === '' && (
          <>
            <p>{t`Open the link in the mail with the invitation.`}</p>
            <div className="row">
              <ButtonLink to="/dashboard/firms">{t`Firms`}</ButtonLink>
            </div>
          </>
        )}
        {token !== '' && !session && (
          <>
            <p>{t`Sign in with the email address to which the invitation was sent, or make an account with it.`}</p>
            <div className="row">
              <Button look="main" onClick={() => openAuthDialog('sign-in')}>
                {t`Sign in`}
              </Button>
              <Button onClick={() => openAuthDialog('register')}>{t`Create account`}</Button>
            </div>
          </>
        )}
        {token !== '' && session && <Answer key={session.user._id} userId={session.user._id} token={token} />}
      </Panel>
    </DashboardPage>
  );
}
