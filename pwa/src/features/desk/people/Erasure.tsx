import { t } from '@lingui/core/macro';
import type { StaffRole } from '@nivida/contract/desk/act';
import { PersonActResponse, type PersonResponse } from '@nivida/contract/desk/people';
import { formatDateTime } from '@nivida/contract/format';
import { Note } from '../../../ui/feedback/Note.tsx';
import { ActButton } from '../act/ActButton.tsx';
import { ProposalActs } from '../act/ProposalActs.tsx';

type May = (role: StaffRole) => boolean;

/** When a closed account is erased, or the erasure that waits for a second person. */
export function ErasureNote({ person, may }: { person: PersonResponse; may: May }) {
  if (person.erasedOn !== null)
    return (
      <Note tone="amber" icon="clock">
        <p>{t`All data will be erased on ${{ time: formatDateTime(person.erasedOn) }}.`}</p>
        <p className="s">{t`The user got a mail. A sign-in until then stops it.`}</p>
      </Note>
    );
  return person.proposal && <Proposal person={person} proposal={person.proposal} may={may} />;
}

interface ProposalProps {
  person: PersonResponse;
  proposal: NonNullable<PersonResponse['proposal']>;
  may: May;
}

function Proposal({ person, proposal, may }: ProposalProps) {
  const { proposedBy, reason, isOwn, proposedAt, expiresAt } = proposal;
  const { username } = person;
  return (
    <Note tone="amber" icon="warning">
      <p>{t`${proposedBy} proposed to erase this account, on ${{ time: formatDateTime(proposedAt) }}.`}</p>
      <p className="s" dir="auto">
        {reason}
      </p>
      <p className="s">
        {isOwn
          ? t`Another owner must confirm it until ${{ time: formatDateTime(expiresAt) }}.`
          : t`It needs a second person until ${{ time: formatDateTime(expiresAt) }}.`}
      </p>
      {person.notErasable !== null && <p className="s">{person.notErasable}</p>}
      <ProposalActs
        proposal={proposal}
        may={may}
        confirm={{
          label: t`Confirm erasure`,
          title: t`Erase all data of ${username} after 7 days?`,
          usualReasons: [t`Checked with the user`],
          done: t`The account is closed`,
          children: <ErasureRules />,
        }}
        refuse={{ label: t`Refuse erasure`, title: t`Refuse the erasure of ${username}?`, done: t`Refused` }}
        withdraw={{ label: t`Withdraw proposal`, title: t`Withdraw the erasure of ${username}?`, done: t`Withdrawn` }}
      />
    </Note>
  );
}

const ErasureRules = () => (
  <p className="s muted">
    {t`The account is closed, its devices are signed out and its user gets a mail. After 7 days the data are erased; orders and invoices stay as the law asks.`}
  </p>
);

/** Proposes the erasure, or says why it cannot be. */
export function EraseButton({ person: { id, username, notErasable, proposal } }: { person: PersonResponse }) {
  if (proposal) return null;
  if (notErasable !== null) return <p className="s muted">{notErasable}</p>;
  return (
    <ActButton
      label={t`Erase account`}
      title={t`Propose to erase all data of ${username}?`}
      path={`people/${id}/erase`}
      schema={PersonActResponse}
      usualReasons={[t`Asked for under the DPDP Act`]}
      done={() => t`Proposed. Another owner must confirm it within 24 hours.`}
    >
      <p className="s muted">{t`Another owner must confirm it within 24 hours.`}</p>
      <ErasureRules />
    </ActButton>
  );
}

/** Stops the erasure of a closed account. */
export function ReopenButton({ person: { id, username } }: { person: PersonResponse }) {
  return (
    <ActButton
      label={t`Stop erasure`}
      title={t`Open the account of ${username} again?`}
      path={`people/${id}/reopen`}
      schema={PersonActResponse}
      usualReasons={[t`Asked by phone`, t`Asked by mail`]}
      done={() => t`The account is open again`}
      isMain
    />
  );
}
