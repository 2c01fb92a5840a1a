import { hasRole, type StaffRole } from '@nivida/contract/desk/act';
import type { PagePath } from '@nivida/contract/site/pages';
import type { IconName } from '../../../ui/display/Icon.tsx';

/** The desk's pages in the order of the menu, each with the least role that may use it. */
const DESK_MENU: readonly { to: PagePath; icon: IconName; role: StaffRole }[] = [
  { to: '/desk', icon: 'home', role: 'support' },
  { to: '/desk/messages', icon: 'list', role: 'support' },
  { to: '/desk/orders', icon: 'rupee', role: 'support' },
  { to: '/desk/documents', icon: 'document', role: 'support' },
  { to: '/desk/data', icon: 'send', role: 'operator' },
  { to: '/desk/notices', icon: 'bell', role: 'operator' },
  { to: '/desk/tenders', icon: 'document', role: 'support' },
  { to: '/desk/people', icon: 'user', role: 'support' },
  { to: '/desk/firms', icon: 'share', role: 'support' },
  { to: '/desk/audit', icon: 'eye', role: 'operator' },
  { to: '/desk/staff', icon: 'gear', role: 'owner' },
];

/** The pages that a role may use. */
export const deskMenu = (role: StaffRole) => DESK_MENU.filter((entry) => hasRole(role, entry.role));
