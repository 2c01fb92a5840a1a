import { PAGES, pageText } from '@nivida/contract/site/pages';
import { useSession } from '../../data/session.ts';
import { FirmFields } from '../../features/auth/registration/FirmFields.tsx';
import { FirmEditor } from '../../features/profile/FirmEditor.tsx';
import { ProfileEditor } from '../../features/profile/ProfileEditor.tsx';
import { DashboardPage } from './DashboardPage.tsx';

/** `/dashboard/profile`. */
export function Profile() {
  const session = useSession();
  // After a sign-out the dashboard's frame navigates home.
  if (!session) return null;
  return (
    <DashboardPage {...pageText(PAGES['/dashboard/profile'])}>
      <ProfileEditor key={session.user._id} user={session.user} />
      <FirmEditor key={`firm-${session.user._id}`} userId={session.user._id} Fields={FirmFields} />
    </DashboardPage>
  );
}
