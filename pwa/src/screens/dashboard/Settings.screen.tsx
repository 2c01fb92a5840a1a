import { PAGES, pageText } from '@nivida/contract/site/pages';
import { useSession } from '../../data/session.ts';
import { ApiKeys } from '../../features/account/api-keys/ApiKeys.tsx';
import { ChangePassword } from '../../features/account/ChangePassword.tsx';
import { DeleteAccount } from '../../features/account/DeleteAccount.tsx';
import { ExportData } from '../../features/account/ExportData.tsx';
import { Passkeys } from '../../features/account/passkeys/Passkeys.tsx';
import { Sessions } from '../../features/account/Sessions.tsx';
import { StrengthHint } from '../../features/auth/password/StrengthHint.tsx';
import { OnThisPhoneSection } from '../../features/on-this-phone/OnThisPhoneSection.tsx';
import { showToast } from '../../ui/feedback/toast.ts';
import { useAccountActions } from '../account/useAccountActions.ts';
import { AlertStateLine } from '../alerts/AlertStateLine.tsx';
import { DeviceAlerts } from '../alerts/DeviceAlerts.tsx';
import { DashboardPage } from './DashboardPage.tsx';
import css from './Settings.module.css';

/** `/dashboard/settings`: the data on this device, then the account. */
export function Settings() {
  const session = useSession();
  const { onAccountDeleted } = useAccountActions();
  // After a sign-out the dashboard's frame navigates home.
  if (!session) return null;
  const { _id: userId, username, email, mobileNo } = session.user;

  function leave(message: string) {
    onAccountDeleted();
    showToast({ text: message });
  }

  return (
    <DashboardPage {...pageText(PAGES['/dashboard/settings'])}>
      <div className={css.sections}>
        <OnThisPhoneSection alertState={<AlertStateLine />} alerts={<DeviceAlerts />} />
        <Sessions userId={userId} />
        <Passkeys userId={userId} mobileNo={mobileNo} />
        <ChangePassword
          userId={userId}
          mobileNo={mobileNo}
          renderHint={(password) => <StrengthHint password={password} known={[username, email, mobileNo]} />}
        />
        <ApiKeys userId={userId} />
        <ExportData />
        <DeleteAccount mobileNo={mobileNo} onDeleted={leave} />
      </div>
    </DashboardPage>
  );
}
