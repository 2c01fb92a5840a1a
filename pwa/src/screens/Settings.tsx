import { useSession } from '../data/session.ts';
import { ChangePassword } from '../features/account/ChangePassword.tsx';
import { DeleteAccount } from '../features/account/DeleteAccount.tsx';
import { ExportData } from '../features/account/ExportData.tsx';
import { Sessions } from '../features/account/Sessions.tsx';
import { StrengthHint } from '../features/auth/StrengthHint.tsx';
import { PhoneSection } from '../features/tenders/packs/PhoneSection.tsx';
import { showToast } from '../ui/toast.ts';
import { DashboardPage } from './DashboardPage.tsx';
import { PhoneAlerts } from './PhoneAlerts.tsx';
import css from './Settings.module.css';
import { useAccount } from './useAccount.ts';

/** `/dashboard/settings`: what this phone keeps, then the account. */
export function Settings() {
  const session = useSession();
  const { onLogout } = useAccount();
  // signed out meanwhile: the dashboard's frame goes home
  if (!session) return null;
  const { _id: userId, username, email, mobileNo } = session.user;

  function leave(message: string) {
    onLogout();
    showToast({ text: message });
  }

  return (
    <DashboardPage title="Settings" description="What this phone keeps and tells, your sessions, password and data.">
      <div className={css.sections}>
        <PhoneSection renderAlerts={(part) => <PhoneAlerts part={part} />} />
        <Sessions userId={userId} />
        <ChangePassword
          userId={userId}
          mobileNo={mobileNo}
          renderHint={(password) => <StrengthHint password={password} known={[username, email, mobileNo]} />}
        />
        <ExportData />
        <DeleteAccount mobileNo={mobileNo} onDeleted={leave} />
      </div>
    </DashboardPage>
  );
}
