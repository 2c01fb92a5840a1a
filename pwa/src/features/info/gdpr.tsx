/** The data protection page: the DPDP Act for everyone in India, the GDPR for people in the European Union. */
import { Link } from 'react-router-dom';
import { Sold } from '../../data/server/site.ts';
import { HindiNotice } from './HindiNotice.tsx';
import type { LegalSection } from './LegalPage.tsx';
import { GrievanceOfficer, SiteMailLink } from './SiteFacts.tsx';

/** The date of this version. */
export const GDPR_DATE = '2026-11-21';

export const GDPR_SECTIONS: readonly LegalSection[] = [
  {
    id: 'officer',
    title: 'Data protection officer',
    body: (
      <p>
        Our data protection officer answers questions about your data: <SiteMailLink to="dpoEmail" />.
      </p>
    ),
  },
  {
    id: 'notice',
    title: 'What data, for what, and on what basis',
    body: (
      <>
        <p>The notice that the DPDP Act asks for, item by item. The basis under the GDPR stands last.</p>
        <dl>
          <dt>Name, e-mail, mobile number, password, company, state, districts, departments, address</dt>
          <dd>To run your account. Your consent at registration; contract, Article 6(1)(b).</dd>
          <dt>Bookmarks, saved searches, followed offices, alert settings</dt>
          <dd>To keep your devices alike and to find what to tell you. Your consent; contract, Article 6(1)(b).</dd>
          <dt>Address and keys of the browser’s push service</dt>
          <dd>To notify you. Your consent, by device; consent, Article 6(1)(a).</dd>
          <Sold>
            <dt>Orders, contact and state of the buyer, GSTIN</dt>
            <dd>
              To deliver and to write receipts and invoices. Your order and tax law; contract and legal obligation,
              Article 6(1)(b) and (c).
            </dd>
          </Sold>
          <dt>Messages you send us</dt>
          <dd>To answer them. Given by you for this purpose; legitimate interest, Article 6(1)(f).</dd>
          <dt>Server logs: time, address asked for, IP address, browser</dt>
          <dd>
            Safety and finding faults, kept 1 year. Legal obligation; legitimate interest, Article 6(1)(c) and (f).
          </dd>
        </dl>
        <p>
          No decision about you is made by a machine alone. Each period of keeping stands in the{' '}
          <Link to={{ pathname: '/privacy', hash: 'retention' }}>privacy policy</Link>.
        </p>
      </>
    ),
  },
  {
    id: 'dpdp',
    title: 'Your rights in India (DPDP Act 2023)',
    body: (
      <ul>
        <li>
          <strong>Access</strong> (section 11): a summary of your data, what is done with it and who received it.
        </li>
        <li>
          <strong>Correction and erasure</strong> (section 12): also completing and updating.
        </li>
        <li>
          <strong>Grievance redressal</strong> (section 13): by our grievance officer first.
        </li>
        <li>
          <strong>Nomination</strong> (section 14): a person who uses your rights after your death or when you cannot.
        </li>
        <li>
          <strong>Withdrawal of consent</strong> (section 6): at any time, as easily as it was given.
        </li>
        <li>
          <strong>Complaint</strong> to the Data Protection Board of India, after the grievance officer has had the
          chance to help.
        </li>
      </ul>
    ),
  },
  {
    id: 'gdpr',
    title: 'Your rights in the European Union (GDPR)',
    body: (
      <>
        <ul>
          <li>access to your data and a copy of them (Article 15)</li>
          <li>correction, erasure, restriction (Articles 16 to 18)</li>
          <li>your data in a form that other services can read (Article 20)</li>
          <li>objection to what rests on legitimate interest (Article 21)</li>
          <li>withdrawal of a consent at any time (Article 7)</li>
          <li>complaint to the supervisory authority of the place where you live or work (Article 77)</li>
        </ul>
        <p>
          Nivida is made for bidders in India and run for them; using it from elsewhere means that data go to India.
        </p>
      </>
    ),
  },
  {
    id: 'how',
    title: 'How to use your rights',
    body: (
      <>
        <ul>
          <li>
            <strong>Download your data:</strong> Settings, at once.
          </li>
          <li>
            <strong>Correct:</strong> Profile, at once; a new e-mail address after you have verified it.
          </li>
          <li>
            <strong>Delete the account:</strong> Settings. It is erased after 7 days;{' '}
            <Sold>receipts and invoices stay as long as tax law demands, </Sold>logs stay 1 year.
          </li>
          <li>
            <strong>Withdraw a consent:</strong> the same switch that gave it: alerts by device and by search,
            notifications also in the browser.
          </li>
          <li>
            <strong>Everything else,</strong> or without an account: write to <SiteMailLink to="dpoEmail" />. We make
            sure that it is you who asks, and answer within one month.
          </li>
        </ul>
        <p>Using a right costs nothing.</p>
      </>
    ),
  },
  { id: 'hindi', title: 'Notice in Hindi', body: <HindiNotice /> },
  { id: 'grievance', title: 'Complaints', body: <GrievanceOfficer /> },
];
