import { t } from '@lingui/core/macro';
import { COMPANY_TYPES, type CompanyType } from '@nivida/contract/account/auth';
import { hasRole, type StaffRole } from '@nivida/contract/desk/act';
import { type ListedPerson, PersonContact, PersonResponse } from '@nivida/contract/desk/people';
import { formatDate, formatTime } from '@nivida/contract/format';
import { i18n } from '@nivida/contract/i18n';
import { knownLanguage, LANGUAGES } from '@nivida/contract/languages';
import { useEffect } from 'react';
import { Link } from 'react-router-dom';
import { currentTime } from '../../../data/clock.ts';
import { Status } from '../../../ui/display/Status.tsx';
import { ActButton } from '../act/ActButton.tsx';
import { NewestEvents } from '../audit/NewestEvents.tsx';
import { useDeskMe } from '../data/desk-me.ts';
import { createDeskQuery, useDeskQuery } from '../data/desk-query.ts';
import { roleLabel } from '../frame/DeskLayout.tsx';
import { DeskAnswer } from '../list/DeskAnswer.tsx';
import { ThreadStatus } from '../messages/ThreadPanel.tsx';
import { NewestOrders } from '../orders/NewestOrders.tsx';
import { EraseButton, ErasureNote, ReopenButton } from './Erasure.tsx';
import { ExportButton } from './ExportButton.tsx';
import { PersonPlans } from './PersonPlans.tsx';
import { PersonSection } from './PersonSection.tsx';
import { PersonSignIn } from './PersonSignIn.tsx';

const people = createDeskQuery(PersonResponse);

/** Whether an account is open, about to be erased or erased. */
export function AccountStatus({ status }: Pick<ListedPerson, 'status'>) {
  const tone = { open: 'green', closing: 'amber', erased: 'gray' } as const;
  const label = { open: t`Open`, closing: t`Being erased`, erased: t`Erased` };
  return <Status tone={tone[status]} label={label[status]} />;
}

/** The side panel of an account. Acts that the role does not allow are not shown. */
export function PersonPanel({ id }: { id: string }) {
  const query = useDeskQuery(people, `people/${encodeURIComponent(id)}`);
  const { answer, reload } = query;
  const openUntil = answer?.openUntil;
  useEffect(() => {
    // The server masks the contact data from then on.
    if (!openUntil) return;
    const timer = setTimeout(reload, new Date(openUntil).getTime() - currentTime().getTime());
    return () => clearTimeout(timer);
  }, [openUntil, reload]);
  return (
    <DeskAnswer query={query} failure={t`The account could not be loaded`}>
      {(person) => <Account person={person} />}
    </DeskAnswer>
  );
}

function Account({ person }: { person: PersonResponse }) {
  const { me } = useDeskMe();
  const may = (role: StaffRole): boolean => me !== undefined && hasRole(me.role, role);
  return (
    <>
      <div>
        <h2>{person.username}</h2>
        <p className="s">{person.companyName}</p>
        <p className="facts">
          <AccountStatus status={person.status} />
          {person.role && <span>{t`Staff: ${{ role: roleLabel(person.role) }}`}</span>}
          <span>{t`since ${{ day: formatDate(person.createdAt) }}`}</span>
        </p>
      </div>
      <ErasureNote person={person} may={may} />
      {person.status !== 'erased' && <Contact person={person} />}
      <PersonSignIn person={person} may={may} />
      <PersonPlans person={person} may={may} />
      <NewestOrders orders={person.orders} older={person.orderCount - person.orders.length} />
      <PersonSection title={t`Messages`} empty={t`No messages`}>
        {person.threads.map(({ id: thread, subject, state, at }) => (
          <li key={thread}>
            <Link to={`/desk/messages/${thread}?state=all`}>{subject}</Link>
            <span className="facts">
              <ThreadStatus state={state} /> {formatDate(at)}
            </span>
          </li>
        ))}
      </PersonSection>
      <PersonEvents person={person} may={may} />
      {person.status !== 'erased' && (
        <div className="row">
          {may('operator') && <ExportButton person={person} />}
          {may('owner') && person.status === 'open' && <EraseButton person={person} />}
          {may('operator') && person.status === 'closing' && <ReopenButton person={person} />}
        </div>
      )}
    </>
  );
}

/** Mobile number and e-mail, masked until a reason is given, and where the person works. */
function Contact({ person }: { person: PersonResponse }) {
  const { id, username, email, mobileNo, openUntil, companyType, state, districts, departments, language } = person;
  const places = [state, ...districts].filter(Boolean).join(', ');
  const type = COMPANY_TYPES[companyType as CompanyType];
  return (
    <div className="stack">
      <p className="s">
        {email} · {mobileNo}
        {openUntil && <span className="muted"> {t`shown until ${{ time: formatTime(new Date(openUntil)) }}`}</span>}
      </p>
      <p className="s muted">
        {[i18n._(type), places, departments.join(', '), LANGUAGES[knownLanguage(language)].name]
          .filter(Boolean)
          .join(' · ')}
      </p>
      {!openUntil && (
        <div className="row">
          <ActButton
            label={t`Show address and number`}
            title={t`Show the address and number of ${username}?`}
            path={`people/${id}/contact`}
            schema={PersonContact}
            usualReasons={[t`Asked by phone`, t`Asked by mail`]}
            done={() => t`Shown for 15 minutes`}
          >
            <p className="s muted">{t`They stay open to you for 15 minutes.`}</p>
          </ActButton>
        </div>
      )}
    </div>
  );
}

/** Sign-ins, passkeys and acts on the account, the newest first. */
function PersonEvents({ person: { id, events }, may }: { person: PersonResponse; may: (role: StaffRole) => boolean }) {
  return (
    <div>
      <NewestEvents events={events} isLink={may('operator')} />
      {may('operator') && <Link to={`/desk/audit?find=${id}`}>{t`All events about this account`}</Link>}
    </div>
  );
}
