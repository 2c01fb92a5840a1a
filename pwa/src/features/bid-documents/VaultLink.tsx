import { t } from '@lingui/core/macro';
import { Link } from 'react-router-dom';
import { useSession } from '../../data/session.ts';
import css from './bid-documents.module.css';

/** The link from a checklist to the vault. Only a signed-in user can open the vault. */
export function VaultLink({ count }: { count: number }) {
  const isSignedIn = useSession() !== null;
  return (
    isSignedIn && (
      <p className={css.vaultLink}>
        <Link to="/dashboard/documents">{t`Document vault: ${count}`}</Link>
      </p>
    )
  );
}
