import { useSession } from '../../data/session.ts';
import { ProfileEditor } from '../../features/profile/ProfileEditor.tsx';
import { DashboardPage } from './DashboardPage.tsx';

/** `/dashboard/profile`. */
export function Profile() {
  const session = useSession();
  // after a sign-out the dashboard's frame goes home
  if (!session) return null;
  return (
    <DashboardPage title="Profile" description="Your name, e-mail address and mobile number.">
      <ProfileEditor key={session.user._id} user={session.user} />
    </DashboardPage>
  );
}
