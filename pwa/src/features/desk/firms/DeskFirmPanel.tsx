import { t } from '@lingui/core/macro';
import { hasRole } from '@nivida/contract/desk/act';
import { DeskFirmResponse } from '@nivida/contract/desk/firms';
import { formatDate } from '@nivida/contract/format';
import { Link } from 'react-router-dom';
import { NewestEvents } from '../audit/NewestEvents.tsx';
import { useDeskMe } from '../data/desk-me.ts';
import { createDeskQuery, useDeskQuery } from '../data/desk-query.ts';
import { DeskAnswer } from '../list/DeskAnswer.tsx';
import { NewestOrders } from '../orders/NewestOrders.tsx';
import { planFacts } from '../people/PersonPlans.tsx';
import { PersonSection } from '../people/PersonSection.tsx';

const firms = createDeskQuery(DeskFirmResponse);

const roleText = (role: DeskFirmResponse['members'][number]['role']): string =>
  role === 'owner' ? t`Owner` : t`Member`;

/** The side panel of a firm. */
export function DeskFirmPanel({ id }: { id: string }) {
  return (
    <DeskAnswer
      query={useDeskQuery(firms, `firms/${encodeURIComponent(id)}`)}
      failure={t`The firm could not be loaded`}
    >
      {(firm) => <FirmFacts firm={firm} />}
    </DeskAnswer>
  );
}

function FirmFacts({ firm }: { firm: DeskFirmResponse }) {
  const { me } = useDeskMe();
  const isOperator = me !== undefined && hasRole(me.role, 'operator');
  return (
    <>
      <div>
        <h2>{firm.name}</h2>
        <p className="s muted">{[firm.address, firm.gstin && t`GSTIN ${firm.gstin}`].filter(Boolean).join(' · ')}</p>
        <p className="facts">
          <span>{t`since ${{ day: formatDate(firm.createdAt) }}`}</span>
        </p>
      </div>
      <PersonSection title={t`Members`} empty={t`No members`}>
        {firm.members.map(({ id, name, role, joinedAt, leftAt }) => (
          <li key={id}>
            <Link to={`/desk/people/${id}`}>{name}</Link>
            <span className="facts">
              {roleText(role)} ·{' '}
              {leftAt ? t`left on ${{ day: formatDate(leftAt) }}` : t`since ${{ day: formatDate(joinedAt) }}`}
            </span>
          </li>
        ))}
      </PersonSection>
      <PersonSection title={t`Invited`} empty={t`No open invitation`}>
        {firm.invitations.map(({ email, role, expiresAt }) => (
          <li key={`${email} ${expiresAt}`}>
            <span className="s">{email}</span>
            <span className="facts">{t`${{ role: roleText(role) }}, until ${{ day: formatDate(expiresAt) }}`}</span>
          </li>
        ))}
      </PersonSection>
      <PersonSection title={t`Plans`} empty={t`No plan`}>
        {firm.plans.map((plan) => (
          <li key={plan.id}>
            <span className="s">{t`Firm plan`}</span>
            <span className="facts">{planFacts(plan)}</span>
          </li>
        ))}
      </PersonSection>
      <NewestOrders orders={firm.orders} />
      <NewestEvents events={firm.events} isLink={isOperator} />
    </>
  );
}
